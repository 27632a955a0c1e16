import { OF_CONNECTION } from './connection-headers.ts';

/** In place of the request's own method. */
const METHOD_OVERRIDES = ['x-http-method', 'x-http-method-override', 'x-method-override'];

/**
 * No argument sets these: they authenticate, frame the message (RFC 9112 §6), belong to one hop
 * (RFC 9110 §7.6.1), describe the body that we write, or would change the method behind the gateway's back.
 * Lower case; names that begin with `proxy-` belong to them, too.
 */
export const NEVER_FROM_ARGUMENTS: ReadonlySet<string> = new Set([
  ...OF_CONNECTION,
  ...['authorization', 'cookie', 'cookie2', 'set-cookie', 'accept', 'content-type', ...METHOD_OVERRIDES],
]);

/** True: no value of a caller may stand in this header. */
export function isBeyondArguments(name: string): boolean {
  const lower = name.toLowerCase();
  return NEVER_FROM_ARGUMENTS.has(lower) || lower.startsWith('proxy-');
}

/** True: the header stands for another method than the request's. */
export function overridesMethod(name: string): boolean {
  return METHOD_OVERRIDES.includes(name.toLowerCase());
}

/** True: the request becomes one that reads. A document may fix that; an argument may not even do so. */
export function makesItRead(name: string, value: unknown): boolean {
  return (value === 'GET' || value === 'HEAD') && overridesMethod(name);
}
