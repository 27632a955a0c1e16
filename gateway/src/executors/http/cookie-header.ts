import { HTTP_TOKEN } from '../../operations/http/http-token.ts';
import type { Json, JsonObject, ParameterBinding } from '../../operations/index.ts';
import { boundValue, refusedValue, serialised } from './bound-value.ts';
import { type Encode, expandPairs } from './expand-style.ts';
import { contentText } from './parameter-content.ts';
import { encodeReservedCookie, encodeStrict } from './percent-encoding.ts';

/** RFC 6265 §4.1.1 `cookie-octet`. */
const COOKIE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/**
 * Cookie parameters behind the connection's own cookies; '' when there are none. Style `form` is percent-encoded
 * and joins exploded values with `&` as the style table says; OpenAPI 3.2's `cookie` sends values as they are.
 */
export function cookieHeader(
  configured: string | undefined,
  bindings: readonly ParameterBinding[],
  args: JsonObject,
  credentials: ReadonlySet<string>,
): string {
  const parts: string[] = configured === undefined || configured === '' ? [] : [configured];
  for (const binding of bindings) {
    const value = boundValue(binding, args);
    if (value === undefined || value === null) continue;
    if (binding.arg !== undefined && credentials.has(binding.name)) {
      throw refusedValue(binding, 'would set a credential cookie, which comes from the configuration alone');
    }
    const pairs = serialised(binding, () => cookiePairs(binding, value));
    for (const [name] of pairs) {
      if (!HTTP_TOKEN.test(name))
        throw refusedValue(binding, `names a cookie ${JSON.stringify(name)} that no request can carry`);
    }
    const written = pairs.map((pair) => pair.join('='));
    parts.push(...(binding.style === 'cookie' ? written : written.length > 0 ? [written.join('&')] : []));
  }
  return parts.join('; ');
}

function cookiePairs(binding: ParameterBinding, value: NonNullable<ReturnType<typeof boundValue>>) {
  if (binding.contentType !== undefined) {
    return [[binding.name, encodeStrict(contentText(value, binding.contentType, binding.members))] as const];
  }
  const asItIs = (text: string) => text;
  const encode = binding.style === 'cookie' ? checked(binding) : formEncode(binding, value);
  const expansion = {
    name: binding.name,
    style: 'form',
    explode: binding.explode ?? true,
    delimiter: ',',
    encode,
    encodeName: binding.style === 'cookie' ? asItIs : encodeStrict,
  } as const;
  return expandPairs(value, expansion);
}

/** Reserved characters stay where that is allowed, but for those that end a cookie, or one of several values in it. */
function formEncode({ allowReserved }: ParameterBinding, value: Json): Encode {
  if (!allowReserved) return encodeStrict;
  if (typeof value !== 'object') return encodeReservedCookie;
  return (text) => encodeReservedCookie(text).replaceAll('&', '%26');
}

/** Values as they are; the commas between them are the style's own (OpenAPI 3.2 "Style Examples"). */
function checked(binding: ParameterBinding): Encode {
  return (text) => {
    if (COOKIE_VALUE.test(text)) return text;
    throw refusedValue(binding, 'holds a character that no cookie can carry (RFC 6265 §4.1.1)');
  };
}
