import type { RetrieveOptions } from './provider.ts';

/** How many passages a question gets of an index: 10 where it says nothing, from 1 to 100. */
export function passageCount({ count = 10 }: RetrieveOptions): number {
  return Math.min(Math.max(1, count), 100);
}
