import { SHAPING_ARGUMENTS, type ShapedCall } from '../../operations/index.ts';

/** What to call it in a note, so that it can be given as it is written there. */
export function spelled(name: 'cursor' | 'fields' | 'limit', { byProperties }: ShapedCall): string {
  return byProperties === true ? name : SHAPING_ARGUMENTS[name];
}
