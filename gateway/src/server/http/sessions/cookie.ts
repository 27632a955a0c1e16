import { isSecret } from './session-secret.ts';

const NAME = 'toolcrib_session';

/** The secret of the session that a request names; undefined: it names none. */
export function readCookie(request: Request): string | undefined {
  const cookies = new Map(
    (request.headers.get('cookie') ?? '').split(';').map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
  const name = nameFor(request);
  const value = cookies.get(`__Host-${name}`) ?? cookies.get(name);
  return value !== undefined && isSecret(value) ? value : undefined;
}

/** A `Set-Cookie` value with the secret; over https it is bound to this host and never goes out without TLS. */
export function sessionCookie(request: Request, secret: string, maxAgeMs: number): string {
  const name = nameFor(request);
  const seconds = Math.floor(maxAgeMs / 1000);
  const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
  return isSecure(request)
    ? `__Host-${name}=${secret}; ${attributes}; Secure`
    : `${name}=${secret}; ${attributes}`;
}

/** Takes the cookie back, under both of its names. */
export function endedCookies(request: Request): readonly string[] {
  const name = nameFor(request);
  const attributes = 'Path=/; HttpOnly; SameSite=Strict; Max-Age=0';
  return [`${name}=; ${attributes}`, `__Host-${name}=; ${attributes}; Secure`];
}

/** Cookies belong to a host and not to a port: two gateways of one machine would take each other's away. */
function nameFor(request: Request): string {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  const [, port] = /:(\d+)$/.exec(host) ?? [];
  return port === undefined ? NAME : `${NAME}_${port}`;
}

/** Behind a proxy that ends TLS only the browser knows; it says so in the origin of what it sends. */
function isSecure(request: Request): boolean {
  const origin = request.headers.get('origin');
  return (origin ?? request.url).toLowerCase().startsWith('https:');
}
