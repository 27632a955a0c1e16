import { percentDecoded } from '../../operations/http/percent-decoded.ts';
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
/** RFC 2397; a name that holds `,`, `;` or `%` is percent-encoded. */
const DATA_URL = /^data:([^,;]*)((?:;[^,;]*)*);base64,/i;
const NAME = /^(?:file)?name\s*=\s*(?:"(.*)"|(.*))$/is;
export const MEDIA_TYPE =
  /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+\/[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:[\t ]*;[\t\x20-\x7e]*)?$/;

/** Where a text may be meant as well, only this says that a file is. */
export function isDataUrl(value: Json): boolean {
  return typeof value === 'string' && DATA_URL.test(value);
}

/**
 * Base64 text (RFC 4648 §4 or §5, line breaks allowed), the same behind `data:TYPE;name=FILENAME;base64,`, or
 * `{data, filename?, contentType?}`.
 */
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
  const file = fromText(data, refuse, '/data');
  return {
    ...file,
    ...(typeof filename === 'string' ? named(filename, refuse, '/filename') : {}),
    ...(typeof contentType === 'string' ? { contentType } : {}),
  };
}

function fromText(text: string, refuse: Refuse, below: string): GivenFile {
  const isUrl = /^data:/i.test(text);
  const prefix = isUrl ? DATA_URL.exec(text) : null;
  if (isUrl && prefix === null)
    throw refuse(
      'is no data URL: data:TYPE;name=FILENAME;base64,… with `,` as %2C and `;` as %3B in the name',
      below,
    );
  const digits = (prefix ? text.slice(prefix[0].length) : text).replace(/[\r\n\t]+/g, '');
  const length = digits.length - (digits.endsWith('==') ? 2 : digits.endsWith('=') ? 1 : 0);
  const padded = digits.length !== length;
  if (!ALPHABET.test(digits) || length % 4 === 1 || (padded && digits.length % 4 !== 0)) {
    throw refuse('is not base64 text (RFC 4648)', below);
  }
  return { bytes: Buffer.from(digits, 'base64'), ...(prefix ? described(prefix, refuse, below) : {}) };
}

/** What a data URL says of its bytes; its other parameters belong to the type. */
function described([, type = '', list = '']: RegExpExecArray, refuse: Refuse, below: string) {
  const parameters = list.split(';').filter((parameter) => parameter.trim() !== '');
  const name = parameters.map((parameter) => NAME.exec(parameter.trim())).find((match) => match !== null);
  const contentType = [type, ...parameters.filter((parameter) => !NAME.test(parameter))].join(';');
  return {
    ...(MEDIA_TYPE.test(contentType) ? { contentType } : {}),
    ...(name ? named(percentDecoded(name[1] ?? name[2] ?? ''), refuse, below) : {}),
  };
}

/** An empty name is none. Line breaks are escaped where the name is written. */
function named(filename: string, refuse: Refuse, below: string): Pick<GivenFile, 'filename'> {
  if (/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/.test(filename))
    throw refuse('has a file name with control characters', below);
  return filename === '' ? {} : { filename };
}
