import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServerConfiguration } from '../../config/configuration.ts';
import { isLoopbackHost } from '../../config/server-address.ts';
import { ToolcribError } from '../../errors.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../operations/index.ts';

export type GuardSettings = Pick<ServerConfiguration, 'token' | 'allowedHosts' | 'allowedOrigins'>;

const TOKEN_PRINCIPAL: Principal = Object.freeze({
  id: 'token',
  kind: 'token',
  maxAccess: 'delete',
  roles: [],
});

/** Checks before anything else is read: where the request is addressed to, where it comes from, and who sends it. */
export interface Guards {
  /** Also accepts requests addressed to this host, the one that is listened on. */
  bind(host: string): void;
  /** Throws `host_refused` (DNS rebinding, foreign web pages). */
  checkOrigin(request: Request): void;
  /** Throws `unauthorized`. */
  principal(request: Request): Principal;
  /** True when the configuration names this origin: its pages may read answers (CORS). */
  allowsPages(origin: string): boolean;
}

export function createGuards({ token, allowedHosts, allowedOrigins }: GuardSettings): Guards {
  const hosts = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  const tokenDigest = token === undefined ? undefined : sha256(token);
  const allowedHost = (host: string, name: string) =>
    isLoopbackHost(name) || hosts.has(host) || hosts.has(name) || hosts.has(name.replace(/^\[|\]$/g, ''));

  return {
    bind: (host) => void hosts.add(host.toLowerCase()),
    checkOrigin(request) {
      const host = (request.headers.get('host') ?? new URL(request.url).host).toLowerCase();
      const url = parseUrl(`http://${host}`);
      if (url === undefined || url.host === '' || !allowedHost(host, url.hostname)) {
        throw new ToolcribError(
          'host_refused',
          `The host ${host.slice(0, 200)} is not one that this server answers for.`,
        );
      }
      const origin = request.headers.get('origin')?.toLowerCase();
      if (origin === undefined || origins.has(origin)) return;
      const from = parseUrl(origin);
      if (from === undefined || !/^https?:$/.test(from.protocol) || !allowedHost(from.host, from.hostname)) {
        throw new ToolcribError(
          'host_refused',
          `Requests from the origin ${origin.slice(0, 200)} are not answered.`,
        );
      }
    },
    principal(request) {
      if (tokenDigest === undefined) return LOCAL_PRINCIPAL;
      const [, given] = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
      if (given !== undefined && timingSafeEqual(sha256(given), tokenDigest)) return TOKEN_PRINCIPAL;
      throw new ToolcribError(
        'unauthorized',
        given === undefined ? 'A bearer token is needed.' : 'The bearer token is not valid.',
      );
    },
    allowsPages: (origin) => origins.has(origin.toLowerCase()),
  };
}

/** Equal lengths make the comparison take the same time for every wrong token. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
