import { hostOf } from '../host-of.ts';
import { isSecret } from './session-secret.ts';

const NAME = 'toolcrib_session';

/** The secret of the session that a request names; undefined: it names none. `origin`: as of `cookieOf`. */
export function readCookie(request: Request, origin?: string): string | undefined {
  const value = cookieOf(request, NAME, origin);
  return value !== undefined && isSecret(value) ? value : undefined;
}

/**
 * A cookie of this gateway, under either of its names. `origin`: where the browser is known to be, else as the request
 * says; over https another host of the same domain can have written every name but the one that is bound to its host
 * (RFC 6265bis §4.1.3.2).
 */
export function cookieOf(request: Request, base: string, origin = request.url): string | undefined {
  const cookies = new Map(
    (request.headers.get('cookie') ?? '').split(';').map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
  const name = nameFor(request, base);
  const bound = cookies.get(`__Host-${name}`);
  return bound ?? (isHttps(origin) ? undefined : cookies.get(name));
}

/** A `Set-Cookie` value with the session's secret. `origin`: where the browser is, where the request does not say. */
export function sessionCookie(request: Request, secret: string, maxAgeMs: number, origin?: string): string {
  return setCookie(request, { base: NAME, value: secret, maxAgeMs, sameSite: 'Strict', origin });
}

export interface CookieSettings {
  readonly base: string;
  /** Of the characters that a cookie may have (RFC 6265 §4.1.1). */
  readonly value: string;
  readonly maxAgeMs: number;
  /** `Lax`: it also comes with a link of another site that a person follows. */
  readonly sameSite: 'Strict' | 'Lax';
  /** Where the browser is; absent: as the request says. */
  readonly origin?: string | undefined;
}

/** A `Set-Cookie` value for this gateway alone; over https it is bound to its host and never goes out without TLS. */
export function setCookie(
  request: Request,
  { base, value, maxAgeMs, sameSite, origin = request.headers.get('origin') ?? request.url }: CookieSettings,
): string {
  const name = nameFor(request, base);
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
  // behind a proxy that ends TLS only the browser and the operator know
  return isHttps(origin)
    ? `__Host-${name}=${value}; ${attributes}; Secure`
    : `${name}=${value}; ${attributes}`;
}

/** Takes the cookie back, under both of its names. */
export function endedCookies(request: Request, base = NAME): readonly string[] {
  const name = nameFor(request, base);
  const attributes = 'Path=/; HttpOnly; SameSite=Strict; Max-Age=0';
  return [`${name}=; ${attributes}`, `__Host-${name}=; ${attributes}; Secure`];
}

/** Cookies belong to a host and not to a port: two gateways of one machine would take each other's away. */
function nameFor(request: Request, base: string): string {
  const [, port] = /:(\d+)$/.exec(hostOf(request)) ?? [];
  return port === undefined ? base : `${base}_${port}`;
}

function isHttps(origin: string): boolean {
  return origin.toLowerCase().startsWith('https:');
}
