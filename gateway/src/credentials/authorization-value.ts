import { ToolcribError } from '../errors.ts';
import type { SecurityScheme } from '../operations/index.ts';
import type { NangoSecret } from './nango/nango-credential.ts';
import { isAuthorizationKey, isBasic } from './scheme-settings.ts';

/** `Bearer token`, also where the operator wrote the scheme before the token. */
export function withScheme(scheme: string, token: string): string {
  const name = /^bearer$/i.test(scheme) ? 'Bearer' : scheme;
  return token.toLowerCase().startsWith(`${name.toLowerCase()} `) ? token : `${name} ${token}`;
}

/**
 * What a scheme that takes one value is sent. A key is as the operator wrote it, where that is more than a key, else after
 * the word that the document's text names; a token in the place of one that goes in `Authorization` (`isToken`) has a word
 * before it in any case.
 */
export function schemeValue(scheme: SecurityScheme | undefined, value: string, isToken: boolean): string {
  if (scheme?.type !== 'apiKey') return withScheme(scheme?.type === 'http' ? scheme.scheme : 'Bearer', value);
  const { prefix } = scheme;
  if (isToken && isAuthorizationKey(scheme)) return withScheme(prefix ?? 'Bearer', value);
  return prefix === undefined || /\s/.test(value) ? value : `${prefix} ${value}`;
}

/** RFC 7617 §2: a user name holds no colon; the pair is UTF-8. */
export function basicPair(username: string, password: string, place: string): string {
  if (username.includes(':')) {
    throw new ToolcribError(
      'configuration_invalid',
      `The user name of ${place} holds a colon, which basic authentication cannot carry.`,
    );
  }
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

/**
 * What Nango keeps, as the scheme wants it; undefined where it does not fit: an access token is no user name, a
 * user with a password is no token. An API key is a user name with an empty password, as Greenhouse and Lever take it.
 */
export function nangoValue(
  secret: NangoSecret,
  scheme: SecurityScheme | undefined,
  place: string,
): string | undefined {
  if (isBasic(scheme)) {
    if (secret.nature === 'token') return undefined;
    return secret.nature === 'basic'
      ? basicPair(secret.username, secret.password, place)
      : basicPair(secret.token, '', place);
  }
  const token = singleToken(secret);
  if (token === undefined) return undefined;
  const takesUserName = scheme?.type === 'apiKey' || scheme?.type === 'http';
  if (secret.nature === 'basic' && !takesUserName) return undefined;
  return schemeValue(scheme, token, secret.nature === 'token');
}

function singleToken(secret: NangoSecret): string | undefined {
  if (secret.nature !== 'basic') return secret.token;
  return secret.password === '' ? secret.username : undefined;
}
