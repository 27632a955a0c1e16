import type { FetchLike } from '@modelcontextprotocol/client';
import { type Egress, EgressFailure, type FetchLimits } from '../../egress/egress.ts';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import { parseChallenge } from '../oauth/challenge.ts';
import type { TokenSource } from '../oauth/token-source.ts';
import { createPace, type Pace } from '../pace.ts';
import { boundedAnswer } from './bounded-answer.ts';
import { UnsentError } from './unsent.ts';

export interface UpstreamFetchOptions {
  readonly egress: Egress;
  /** The server's name. */
  readonly name: string;
  readonly url: string;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly tokens: Omit<TokenSource, 'ready'> | undefined;
}

/** A call may take as long as its deadline, which ends the signal; an open stream may be silent. */
const LONG_MS = 15 * 60_000;
const LIMITS: Readonly<Record<string, Partial<FetchLimits>>> = {
  POST: { headersTimeoutMs: LONG_MS, idleTimeoutMs: LONG_MS },
  GET: { headersTimeoutMs: LONG_MS, idleTimeoutMs: 0 },
  DELETE: { headersTimeoutMs: 2_000, idleTimeoutMs: 2_000 },
};

/**
 * `fetch` for the SDK's transports: through the egress door, with the definition's headers and token, and only to the
 * definition's origin. 401 and 403 mean that nothing was carried out: the request goes again with another token, once
 * for each. Rejects with `authorization_required` or another ToolcribError, UnsentError, or EgressFailure.
 */
export function upstreamFetch(options: UpstreamFetchOptions): FetchLike {
  const { url, tokens } = options;
  const server = new URL(url);
  const pace = createPace();
  return async (target, init = {}) => {
    if (URL.parse(String(target))?.origin !== server.origin) throw foreignOrigin(options, String(target));
    const signal = init.signal ?? new AbortController().signal;
    let token = await beforehand(tokens?.current(signal), signal);
    let response = await send(options, target, init, token);
    if (response.status === 401) {
      const challenge = challengeOf(response);
      if (tokens === undefined) throw refused(options, 401);
      token = await beforehand(tokens.renewed(token, challenge, signal), signal);
      response = await send(options, target, init, token);
      if (response.status === 401) {
        challengeOf(response);
        throw refused(options, 401);
      }
    }
    for (let stepsUp = 0; isInsufficient(response); stepsUp++) {
      const challenge = challengeOf(response);
      if (tokens === undefined || stepsUp === 2) throw refused(options, 403);
      token = await beforehand(tokens.steppedUp(token, challenge, signal), signal);
      response = await send(options, target, init, token);
    }
    return asUsable(options, server, response, pace);
  };
}

/** What fails while a token is got leaves the request itself unsent, or refused. */
async function beforehand<T>(token: Promise<T> | undefined, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await token;
  } catch (error) {
    if (isToolcribError(error) || signal.aborted) throw error;
    throw new UnsentError('No token could be got for the request.', error);
  }
}

async function send(
  { egress, headers: fixed, name }: UpstreamFetchOptions,
  target: string | URL,
  init: RequestInit,
  token: string | undefined,
): Promise<Response> {
  const headers = new Headers(init.headers);
  for (const [header, value] of fixed) headers.set(header, value);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const method = (init.method ?? 'GET').toUpperCase();
  try {
    return await egress.fetch(target, { ...init, headers, redirect: 'manual' }, LIMITS[method]);
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    if (error.kind === 'egress_blocked') {
      throw new ToolcribError('egress_blocked', `The server "${name}": ${error.message}.`, { cause: error });
    }
    throw error.sent === 'none' && error.kind !== 'cancelled' ? new UnsentError(error.message, error) : error;
  }
}

/** The SDK follows a redirect that keeps method and origin. 307 and 308 elsewhere say that nothing was done yet (RFC 9110 §15.4.8). */
async function asUsable(
  { name }: UpstreamFetchOptions,
  { host, origin }: URL,
  response: Response,
  pace: Pace,
): Promise<Response> {
  const location = response.headers.get('location');
  if ((response.status !== 307 && response.status !== 308) || location === null) {
    return boundedAnswer(response, host, pace);
  }
  const to = URL.parse(location, response.url);
  if (to?.origin === origin) return response;
  void response.body?.cancel();
  throw new ToolcribError(
    'upstream_failed',
    `The server "${name}" sends requests on to ${to?.host ?? 'nowhere'} (${response.status}), which is not followed; nothing was carried out.`,
    { status: response.status, next: 'Name that address in the configuration if it is meant.' },
  );
}

function isInsufficient({ status, headers }: Response): boolean {
  return status === 403 && parseChallenge(headers.get('www-authenticate')).error === 'insufficient_scope';
}

function challengeOf(response: Response) {
  void response.body?.cancel();
  return parseChallenge(response.headers.get('www-authenticate'));
}

function refused({ name, headers, tokens }: UpstreamFetchOptions, status: 401 | 403): ToolcribError {
  const authorized =
    tokens !== undefined || headers.some(([header]) => /auth|key|token|cookie/i.test(header));
  return new ToolcribError(
    authorized ? 'credentials_refused' : 'authorization_required',
    `The server "${name}" ${authorized ? 'refuses the credentials' : 'asks for a sign-in'} (${status}).`,
    {
      status,
      next: authorized
        ? 'Check the headers and scopes that the configuration gives for this server.'
        : 'Give the server a header with a credential, or take `oauth: none` away and sign in.',
    },
  );
}

function foreignOrigin({ name, url }: UpstreamFetchOptions, target: string): ToolcribError {
  const { origin } = new URL(url);
  return new ToolcribError(
    'egress_blocked',
    `The server "${name}" names an address at ${URL.parse(target)?.host ?? 'no host'}; its credential stays at ${origin}.`,
  );
}
