import { isObject, type Json } from '../../operations/index.ts';

/** Bytes that a caller gave, with what it said about them. */
export interface GivenFile {
  readonly bytes: Uint8Array;
  readonly filename?: string;
  readonly contentType?: string;
}

/** `reason` continues "Argument x …"; `below` is a JSON Pointer within the argument. */
export type Refuse = (reason: string, below?: string) => Error;

const ALPHABET = /^[A-Za-z0-9+/_-]*={0,2}$/;
const DATA_URL = /^data:([^,;]*)(?:;[^,;]*)*;base64,/i;
export const MEDIA_TYPE =
  /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+\/[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:\s*;[\t\x20-\x7e]*)?$/;

/** Base64 text (RFC 4648 §4 or §5, line breaks and a `data:` prefix allowed), or `{data, filename?, contentType?}`. */
export function givenFile(value: Json, refuse: Refuse): GivenFile {
  if (typeof value === 'string') return fromText(value, refuse, '');
  if (!isObject(value)) throw refuse('must be base64 text, or an object with `data` in base64');
  const { data, filename, contentType } = value;
  if (typeof data !== 'string') throw refuse('needs `data` in base64', '/data');
  if (filename !== undefined && filename !== null && typeof filename !== 'string')
    throw refuse('needs `filename` as text', '/filename');
  if (
    contentType !== undefined &&
    contentType !== null &&
    (typeof contentType !== 'string' || !MEDIA_TYPE.test(contentType))
  ) {
    throw refuse('needs `contentType` as a media type, e.g. image/png', '/contentType');
  }
  return {
    ...fromText(data, refuse, '/data'),
    ...(typeof filename === 'string' ? { filename } : {}),
    ...(typeof contentType === 'string' ? { contentType } : {}),
  };
}

function fromText(text: string, refuse: Refuse, below: string): GivenFile {
  const prefix = text.startsWith('data:') ? DATA_URL.exec(text) : null;
  const digits = (prefix ? text.slice(prefix[0].length) : text).replace(/[\r\n\t]+/g, '');
  const length = digits.length - (digits.endsWith('==') ? 2 : digits.endsWith('=') ? 1 : 0);
  const padded = digits.length !== length;
  if (!ALPHABET.test(digits) || length % 4 === 1 || (padded && digits.length % 4 !== 0)) {
    throw refuse('is not base64 text (RFC 4648)', below);
  }
  const declared = prefix?.[1];
  return {
    bytes: Buffer.from(digits, 'base64'),
    ...(declared && MEDIA_TYPE.test(declared) ? { contentType: declared } : {}),
  };
}
