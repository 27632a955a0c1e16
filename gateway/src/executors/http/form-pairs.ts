import { isObject, type Json, type PartEncoding } from '../../operations/index.ts';
import { isJsonType, mediaTypeOf } from '../../results/media-type.ts';
import { expandPairs, type Pair, plainDelimiter } from './expand-style.ts';
import {
  encodeDelimiter,
  encodeReservedName,
  encodeReservedQuery,
  encodeStrict,
} from './percent-encoding.ts';

/** By the names of the members. */
export type FormEncodings = Readonly<Record<string, PartEncoding>>;

/** Members of an object as `application/x-www-form-urlencoded`. Throws URIError on a lone surrogate. */
export function formPairs(
  members: { readonly [name: string]: Json },
  encodings: FormEncodings = {},
): readonly Pair[] {
  return Object.entries(members).flatMap(([name, value]) => memberPairs(name, value, encodings));
}

/**
 * One member by its Encoding Object. Without one, lists repeat their name and objects are JSON text (OpenAPI 3.1.1
 * §4.8.14.4). Spaces are `%20`, which every form parser reads. Throws URIError on a lone surrogate.
 */
export function memberPairs(
  name: string,
  value: Json | undefined,
  encodings: FormEncodings,
): readonly Pair[] {
  if (value === null || value === undefined) return [];
  const encoding = Object.hasOwn(encodings, name) ? encodings[name]! : {};
  const { style, explode, allowReserved, contentType, delimiter, nested } = encoding;
  const encode = allowReserved ? encodeReservedQuery : encodeStrict;
  const encodeName = allowReserved ? encodeReservedName : encodeStrict;
  const styled = style !== undefined || explode !== undefined;
  if (!styled && (isObject(value) || (contentType !== undefined && isJsonType(mediaTypeOf(contentType))))) {
    return [[encodeName(name), encode(JSON.stringify(value))]];
  }
  return expandPairs(value, {
    name,
    style: style ?? 'form',
    explode: explode ?? (style === undefined || style === 'form'),
    delimiter: encodeDelimiter(delimiter ?? plainDelimiter(style ?? 'form')),
    nested: nested?.map(encodeDelimiter),
    encode,
    encodeName,
  });
}
