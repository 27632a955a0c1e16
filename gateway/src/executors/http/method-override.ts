import { standsForMethod } from '../../operations/http/stands-for-method.ts';
import {
  ACCESS_LEVELS,
  type Access,
  type Binding,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
} from '../../operations/index.ts';
import { isFormType, mediaTypeOf } from '../../results/media-type.ts';
import { boundValue, refusedValue } from './bound-value.ts';

/** What a method does at most, where nobody says otherwise (RFC 9110 §9.2.1). */
const DOES: ReadonlyMap<string, Access> = new Map([
  ['POST', 'write'],
  ['PUT', 'write'],
  ['PATCH', 'write'],
  ['DELETE', 'delete'],
]);

/**
 * As headers that stand for another method, no argument makes more of an operation than it is: `_method: DELETE` in the
 * open body of a POST would delete what nobody was asked about. Throws `arguments_invalid`.
 */
export function assertMethodKept({ invocation, access }: Operation, args: JsonObject): void {
  if (invocation.kind !== 'http') return;
  for (const binding of invocation.bindings) {
    const value = binding.arg === undefined ? undefined : boundValue(binding, args);
    if (value === undefined) continue;
    const harm = ACCESS_LEVELS.indexOf(access);
    const worse = methodsIn(binding, value).find((method) => {
      const does = DOES.get(method.toUpperCase());
      return does !== undefined && ACCESS_LEVELS.indexOf(does) > harm;
    });
    if (worse !== undefined)
      throw refusedValue(
        binding,
        `asks for ${worse.toUpperCase()} in place of the method, which is another operation`,
      );
  }
}

function methodsIn({ in: place, name, contentType }: Binding, value: Json): readonly string[] {
  if (place !== 'query' && place !== 'querystring' && place !== 'body') return [];
  if (standsForMethod(name)) return texts(value);
  // the members of other parts of a body are further down
  if (place === 'body' && name !== '') return [];
  const isPairs = place === 'querystring' || isFormType(mediaTypeOf(contentType));
  if (typeof value === 'string' && isPairs) return inText(value);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([member, own]) => (standsForMethod(member) ? texts(own) : []));
}

/** As it is decoded; some divide pairs by `;`, and a `?` may stand before a whole query. */
function inText(pairs: string): readonly string[] {
  const read = new URLSearchParams(pairs.replaceAll(/[?;]/g, '&'));
  return [...read].flatMap(([name, method]) => (standsForMethod(name) ? [method] : []));
}

function texts(value: Json | undefined): readonly string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}
