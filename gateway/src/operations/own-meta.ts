import { isObject } from './json/json.ts';

const OURS = /^toolcrib\//i;

/** A part of what an upstream server answers, without what only we say of content in its `_meta`. */
export function withoutOwnMeta<T extends object>(part: T): T {
  const { _meta: meta } = part as { readonly _meta?: unknown };
  if (!isObject(meta) || !Object.keys(meta).some((key) => OURS.test(key))) return part;
  return { ...part, _meta: Object.fromEntries(Object.entries(meta).filter(([key]) => !OURS.test(key))) };
}
