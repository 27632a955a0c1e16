import type { Call, Result } from '../operations/index.ts';

export type Next = (call: Call) => Promise<Result>;

/** One check or service around a call. Calls `next` once (shaping: once a page), or answers by itself. */
export type Layer = (call: Call, next: Next) => Promise<Result>;

/** The onion: the first layer is the outermost. */
export function compose(layers: readonly Layer[], core: Next): Next {
  return layers.reduceRight<Next>((next, layer) => (call) => layer(call, next), core);
}
