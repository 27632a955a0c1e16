import { isObject, type PartEncoding } from '../../operations/index.ts';
import { isJsonType, mediaTypeOf } from '../../results/media-type.ts';
import { expandPairs, type Pair } from './expand-style.ts';
import { type BodyPart, bodyParts, type GivenBody } from './given-body.ts';
import { encodeReservedQuery, encodeStrict } from './percent-encoding.ts';

/**
 * `application/x-www-form-urlencoded` by OpenAPI's Encoding Objects. Without one, lists repeat their name and
 * objects are JSON text (OpenAPI 3.1.1 §4.8.14.4). Spaces are `%20`, which every form parser reads. Text is ready-made.
 */
export function urlencodedBody(given: GivenBody, encodings: Readonly<Record<string, PartEncoding>>): string {
  const parts = bodyParts(given);
  if (parts === undefined) {
    if (given.kind === 'whole' && typeof given.part.value === 'string') return given.part.value;
    throw given.kind === 'whole'
      ? given.part.refuse('must be an object: the body is a form')
      : new TypeError('properties are always parts');
  }
  const pairs = parts.flatMap((part) =>
    partPairs(part, Object.hasOwn(encodings, part.name) ? encodings[part.name]! : {}),
  );
  return pairs.map((pair) => pair.join('=')).join('&');
}

function partPairs({ name, value, refuse }: BodyPart, encoding: PartEncoding): readonly Pair[] {
  if (value === null || value === undefined) return [];
  try {
    return encodedPairs(name, value, encoding);
  } catch (error) {
    if (error instanceof URIError) throw refuse('holds half a surrogate pair');
    throw error;
  }
}

function encodedPairs(
  name: string,
  value: NonNullable<BodyPart['value']>,
  encoding: PartEncoding,
): readonly Pair[] {
  const { style, explode, allowReserved, contentType } = encoding;
  const encode = allowReserved ? encodeReservedQuery : encodeStrict;
  const styled = style !== undefined || explode !== undefined;
  if (!styled && (isObject(value) || (contentType !== undefined && isJsonType(mediaTypeOf(contentType))))) {
    return [[encode(name), encode(JSON.stringify(value))]];
  }
  const delimiter = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ',';
  return expandPairs(value, {
    name,
    style: style ?? 'form',
    explode: explode ?? (style === undefined || style === 'form'),
    delimiter,
    encode,
  });
}
