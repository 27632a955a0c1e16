import { ToolcribError } from '../errors.ts';
import type { SecurityScheme } from '../operations/index.ts';
import type { NangoSecret } from './nango/nango-credential.ts';
import { isAuthorizationKey, isBasic } from './scheme-settings.ts';

/** `Bearer token`, also where the operator wrote the scheme before the token. */
export function withScheme(scheme: string, token: string): string {
  const name = /^bearer$/i.test(scheme) ? 'Bearer' : scheme;
  return token.toLowerCase().startsWith(`${name.toLowerCase()} `) ? token : `${name} ${token}`;
}

/** As the operator wrote it, where that is more than a key; else after the word that the document's text names. */
export function keyValue({ prefix }: { readonly prefix?: string }, key: string): string {
  return prefix === undefined || /\s/.test(key) ? key : `${prefix} ${key}`;
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
  switch (scheme?.type) {
    case 'apiKey':
      return secret.nature === 'token' && isAuthorizationKey(scheme)
        ? withScheme(scheme.prefix ?? 'Bearer', token)
        : keyValue(scheme, token);
    case 'http':
      return withScheme(scheme.scheme, token);
    default:
      return secret.nature === 'basic' ? undefined : withScheme('Bearer', token);
  }
}

function singleToken(secret: NangoSecret): string | undefined {
  if (secret.nature !== 'basic') return secret.token;
  return secret.password === '' ? secret.username : undefined;
}
