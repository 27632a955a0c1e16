import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServerConfiguration } from '../../config/configuration.ts';
import { isLoopbackHost } from '../../config/server-address.ts';
import { ToolcribError } from '../../errors.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../operations/index.ts';
import { hostOf } from './host-of.ts';
import { isSameOrigin } from './sessions/same-origin.ts';

export interface GuardSettings
  extends Pick<ServerConfiguration, 'token' | 'publicUrl' | 'allowedHosts' | 'allowedOrigins'> {
  /** Given where a team uses the gateway: every caller shows an API key, a sign-in token or the server's token. */
  readonly authenticate?: Authenticate;
  /** Whether a bearer is the token with which the owner of this machine decides approvals. */
  readonly isApprover?: IsApprover;
}

export type IsApprover = (bearer: string) => Promise<boolean>;

/** Who a bearer credential stands for, as of now. Throws `unauthorized`, `user_refused`, `store_unavailable`. */
export type Authenticate = (bearer: string, signal: AbortSignal) => Promise<Principal>;

/** Whoever shows the server's token. */
export const TOKEN_PRINCIPAL: Principal = Object.freeze({
  id: 'token',
  kind: 'token',
  maxAccess: 'delete',
  roles: [],
});

/** The owner of this machine where calls of others are decided; calls nothing itself. */
export const APPROVER_PRINCIPAL: Principal = Object.freeze({
  id: 'approver',
  kind: 'token',
  maxAccess: 'read',
  roles: [],
  sources: [],
  purpose: 'approve',
});
export const APPROVER_PREFIX = 'tca_';

/** Checks before anything else is read: where the request is addressed to, where it comes from, and who sends it. */
export interface Guards {
  /** Also accepts requests addressed to this host, the one that is listened on. */
  bind(host: string): void;
  /** What pages of every origin may ask for. Throws `host_refused` (DNS rebinding). */
  checkHost(request: Request): void;
  /** Throws `host_refused` (DNS rebinding, foreign web pages). */
  checkOrigin(request: Request): void;
  /**
   * The server's token, then keys and sign-in tokens; without any of them the owner of the process, where no
   * team uses it. Rejects with `unauthorized`.
   */
  principal(request: Request): Promise<Principal>;
  /** True when the configuration names this origin: its pages may read answers (CORS). */
  allowsPages(origin: string): boolean;
}

export function createGuards(settings: GuardSettings): Guards {
  const { token, publicUrl, allowedHosts, allowedOrigins, authenticate, isApprover } = settings;
  const hosts = new Set(allowedHosts.map((host) => parseUrl(`http://${host}`)?.host ?? host.toLowerCase()));
  if (publicUrl !== undefined) hosts.add(new URL(publicUrl).hostname);
  const origins = new Set(allowedOrigins.map(asSent));
  const home = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  /** Host of the last request that was let through: mostly the next one's, too. */
  let passed: string | undefined;
  const tokenDigest = token === undefined ? undefined : sha256(token);
  const allowedHost = (host: string, name: string) =>
    isLoopbackHost(name) || hosts.has(host) || hosts.has(name) || hosts.has(name.replace(/^\[|\]$/g, ''));
  const checkHost = (request: Request): void => {
    const host = hostOf(request);
    if (host === passed) return;
    const url = parseUrl(`http://${host}`);
    if (url !== undefined && allowedHost(host, url.hostname)) {
      passed = host;
      return;
    }
    throw new ToolcribError(
      'host_refused',
      `The host ${host.slice(0, 200)} is not one that this server answers for.`,
    );
  };

  return {
    bind: (host) => void hosts.add(host.toLowerCase()),
    checkHost,
    checkOrigin(request) {
      checkHost(request);
      const origin = request.headers.get('origin')?.toLowerCase();
      if (origin === undefined) return checkSite(request);
      if (origins.has(origin)) return;
      const from = parseUrl(origin);
      const isKnown =
        from !== undefined && /^https?:$/.test(from.protocol) && allowedHost(from.host, from.hostname);
      if (isKnown) {
        // whatever runs on this machine may show pages at the loopback: another port is another site
        const isNeighbour = isLoopbackHost(from.hostname) && origin !== home && !isSameOrigin(request);
        if (!isNeighbour || !isSentUnasked(request)) return;
      }
      throw new ToolcribError(
        'host_refused',
        `Requests from the origin ${origin.slice(0, 200)} are not answered.`,
        { next: 'Add the origin to `server.allowedOrigins` if its pages may use this gateway.' },
      );
    },
    async principal(request) {
      const open = tokenDigest === undefined && authenticate === undefined;
      const given = bearerOf(request);
      if (isApprover !== undefined && given?.startsWith(APPROVER_PREFIX)) {
        if (await isApprover(given)) return APPROVER_PRINCIPAL;
        throw new ToolcribError('unauthorized', 'The approver token is not valid.');
      }
      if (open) return LOCAL_PRINCIPAL;
      if (given === undefined) throw new ToolcribError('unauthorized', 'A bearer token is needed.');
      if (tokenDigest !== undefined && timingSafeEqual(sha256(given), tokenDigest)) return TOKEN_PRINCIPAL;
      if (authenticate !== undefined) return authenticate(given, request.signal);
      throw new ToolcribError('unauthorized', 'The bearer token is not valid.');
    },
    allowsPages: (origin) => origins.has(origin.toLowerCase()),
  };
}

/**
 * Browsers name no origin with images, scripts and frames that a page asks for: another site would make this server
 * work. A link that a person follows is let through, it shows a page of ours. Throws `host_refused`.
 */
function checkSite({ method, headers }: Request): void {
  if (headers.get('sec-fetch-site') !== 'cross-site') return;
  const opened = headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';
  if (opened && (method === 'GET' || method === 'HEAD')) return;
  throw new ToolcribError('host_refused', 'Requests from other sites are not answered.');
}

/** What a form can send; a request without a body can be of any page, too. */
const OF_FORMS: ReadonlySet<string> = new Set([
  '',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  'text/plain',
]);

/** Whether a page can send it although a preflight would be refused (Fetch, "CORS-safelisted request-header"). */
function isSentUnasked({ method, headers }: Request): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return method === 'POST' && !headers.has('authorization') && OF_FORMS.has(type.trim().toLowerCase());
}

/** An origin as browsers send it: without the port of its scheme, names in ASCII. */
function asSent(origin: string): string {
  const url = parseUrl(origin);
  const known = url !== undefined && /^https?:$/.test(url.protocol);
  return known ? url.origin : origin.toLowerCase().replace(/\/$/, '');
}

/** RFC 6750 §2.1; undefined when there is none of that form. */
export function bearerOf(request: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
}

/** Equal lengths make the comparison take the same time for every wrong token. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
