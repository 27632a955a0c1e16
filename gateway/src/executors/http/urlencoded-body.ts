import { type FormEncodings, memberPairs } from './form-pairs.ts';
import { type BodyPart, bodyParts, type GivenBody } from './given-body.ts';

/** `application/x-www-form-urlencoded` by OpenAPI's Encoding Objects. Text is ready-made. */
export function urlencodedBody(given: GivenBody, encodings: FormEncodings): string {
  const parts = bodyParts(given);
  if (parts === undefined) {
    if (given.kind === 'whole' && typeof given.part.value === 'string') return given.part.value;
    throw given.kind === 'whole'
      ? given.part.refuse('must be an object: the body is a form')
      : new TypeError('properties are always parts');
  }
  const pairs = parts.flatMap((part) => partPairs(part, encodings));
  return pairs.map((pair) => pair.join('=')).join('&');
}

function partPairs({ name, value, refuse }: BodyPart, encodings: FormEncodings) {
  try {
    return memberPairs(name, value, encodings);
  } catch (error) {
    if (error instanceof URIError) throw refuse('holds half a surrogate pair');
    throw error;
  }
}
