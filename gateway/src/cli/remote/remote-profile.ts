import { EgressFailure, tlsAdvice } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import { type AccessLevel, allowsReading, isObject } from '../../operations/index.ts';
import type { RemoteAddress } from './remote-address.ts';
import { keyWanted, type RemoteKey } from './remote-key.ts';

/** What a team's gateway says of the caller. */
export interface RemoteProfile {
  readonly hasATS: boolean;
  readonly atsProvider: string | null;
  readonly effectiveAccess: Readonly<Record<string, AccessLevel>>;
}

const TIMEOUT_MS = 30_000;

/**
 * The caller's profile, asked for before anything else. Throws `unauthorized`, `organisation_missing`,
 * `connection_missing` when nothing at all is usable, `upstream_unreachable`, `upstream_failed` for an address
 * at which there is no gateway.
 */
export async function remoteProfile(
  { base }: RemoteAddress,
  key: RemoteKey,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  signal: AbortSignal,
): Promise<RemoteProfile> {
  const location = `${base}/api/skills/config`;
  const response = await ask(location, key, fetch, signal);
  const body = await response.json().catch(() => undefined);
  if (response.status === 401) {
    const message =
      key.value === undefined
        ? `The gateway asks for an API key, and there is none in ${key.place}.`
        : `The gateway refused the API key in ${key.place}: it is wrong, revoked or expired.`;
    throw new ToolcribError('unauthorized', message, {
      location: base,
      status: 401,
      next: keyWanted(key.place),
    });
  }
  if (!response.ok || !isProfile(body)) {
    throw new ToolcribError('upstream_failed', notAGateway(response, body), {
      location,
      status: response.status,
      next: `Check the address behind --remote: it is where the gateway's /mcp and /api lie. Nothing but this question was sent.`,
    });
  }
  const usable = Object.values(body.effectiveAccess).some(allowsReading);
  if (usable) return body;
  throw new ToolcribError(
    'connection_missing',
    'The gateway knows the key, but nothing is connected that it may use.',
    { location: base },
  );
}

async function ask(
  location: string,
  { value }: RemoteKey,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (value !== undefined) headers['authorization'] = `Bearer ${value}`;
  try {
    return await fetch(location, {
      headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch (error) {
    signal.throwIfAborted();
    const tls = error instanceof EgressFailure ? error.tls : undefined;
    throw new ToolcribError(
      'upstream_unreachable',
      `The gateway cannot be reached: ${(error as Error).message}.`,
      { location, cause: error, ...(tls && { next: tlsAdvice(tls, '--remote') }) },
    );
  }
}

function isProfile(body: unknown): body is RemoteProfile {
  return isObject(body) && typeof body['hasATS'] === 'boolean' && isObject(body['effectiveAccess']);
}

function notAGateway(response: Response, body: unknown): string {
  const error = isObject(body) && isObject(body['error']) ? body['error']['message'] : undefined;
  if (typeof error === 'string' && response.status !== 404) {
    return `The gateway answered ${response.status}: ${error.slice(0, 500)}`;
  }
  return `At this address there is no Toolcrib gateway: it answered ${response.status} without a profile.`;
}
