import { isObject, type Json } from '../../operations/index.ts';
import { isFormType, isJsonType, mediaTypeOf } from '../../results/media-type.ts';
import { expandPairs } from './expand-style.ts';
import { encodeStrict } from './percent-encoding.ts';
import { primitiveText } from './primitive-text.ts';

/** A `content` parameter as text of its media type, not yet encoded for its place. */
export function contentText(value: Json, contentType: string): string {
  const type = mediaTypeOf(contentType);
  if (isJsonType(type)) return JSON.stringify(value);
  if (isFormType(type) && isObject(value)) return formText(value);
  return primitiveText(value);
}

function formText(value: { readonly [key: string]: Json }): string {
  return expandPairs(value, { name: '', style: 'form', explode: true, delimiter: ',', encode: encodeStrict })
    .map((pair) => pair.join('='))
    .join('&');
}
