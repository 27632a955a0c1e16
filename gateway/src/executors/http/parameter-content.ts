import { isObject, type Json } from '../../operations/index.ts';
import { isFormType, isJsonType, mediaTypeOf } from '../../results/media-type.ts';
import { type FormEncodings, formPairs } from './form-pairs.ts';
import { primitiveText } from './primitive-text.ts';

/** A `content` parameter as text of its media type, not yet encoded for its place. `members`: of a form. */
export function contentText(value: Json, contentType: string, members?: FormEncodings): string {
  const type = mediaTypeOf(contentType);
  if (isJsonType(type)) return JSON.stringify(value);
  if (isFormType(type) && isObject(value))
    return formPairs(value, members)
      .map((pair) => pair.join('='))
      .join('&');
  return primitiveText(value);
}
