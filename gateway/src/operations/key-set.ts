import { isObject, type JsonObject } from './json/json.ts';

/** The keys of a JSON Web Key Set (RFC 7517 §5); undefined where the text is none. */
export function keysIn(text: string): readonly JsonObject[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const keys = isObject(value) ? value['keys'] : undefined;
    return Array.isArray(keys) && keys.every(isObject) ? keys : undefined;
  } catch {
    return undefined;
  }
}

/** Where the keys of an issuer are looked for that does not say where they are. */
export function usualKeySetUrl(issuer: string): string {
  return new URL('.well-known/jwks.json', issuer.replace(/\/?$/, '/')).href;
}
