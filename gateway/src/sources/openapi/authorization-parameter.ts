import type { JsonObject, SecurityScheme } from '../../operations/index.ts';
import type { SecuritySchemes } from './security.ts';

/** The scheme of a document that speaks of its credential by a parameter alone. */
export const STATED_SCHEME = 'Authorization';

/**
 * Names of the schemes whose credential goes into the header Authorization (RFC 9110 §11.6.2). Undefined: there is none,
 * and something else has the name of the stated one.
 */
export function authorizationSchemes(schemes: SecuritySchemes): readonly string[] | undefined {
  const filling = Object.keys(schemes).filter((name) => {
    const scheme = schemes[name]!;
    if (scheme.type === 'apiKey') return scheme.in === 'header' && /^authorization$/i.test(scheme.name);
    return scheme.type !== 'mutualTLS';
  });
  return filling.length === 0 && Object.hasOwn(schemes, STATED_SCHEME) ? undefined : filling;
}

export function isAuthorizationParameter({ in: place, name }: JsonObject): boolean {
  return place === 'header' && typeof name === 'string' && /^authorization$/i.test(name);
}

/** Basic (RFC 7617) where the parameter's words say that and nothing of a bearer (RFC 6750). */
export function statedScheme(parameter: JsonObject): SecurityScheme {
  const words = JSON.stringify(parameter);
  const isBasic = /\bbasic\b/i.test(words) && !/\bbearer\b/i.test(words);
  return { type: 'http', scheme: isBasic ? 'basic' : 'bearer' };
}
