import type { ByteRange } from '../../../../artifacts/artifact.ts';

const RANGE = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i;

/**
 * The one range that a Range header asks for (RFC 9110 §14.1.2, §14.2). Undefined for what may be ignored: none,
 * several, another unit, nonsense; `unsatisfiable` leads to a 416.
 */
export function readRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const suffix = Math.min(Number(last), size);
    return suffix === 0 ? 'unsatisfiable' : { first: size - suffix, last: size - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return 'unsatisfiable';
  return { first: Number(first), last: Math.min(last === '' ? size - 1 : Number(last), size - 1) };
}

/** If-None-Match against a strong tag (RFC 9110 §13.1.2): compared weakly. */
export function matchesTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}

/** If-Range allows the range only for exactly this strong tag (RFC 9110 §13.1.5); a date never does. */
export function allowsRange(ifRange: string | null, tag: string): boolean {
  return ifRange === null || ifRange.trim() === tag;
}
