import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { EgressFailure, isTimeout } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import { printable } from '../../operations/printable.ts';
import { type Challenge, parseChallenge } from './challenge.ts';
import { type AuthorizationFacts, discoverAuthorization } from './discovery.ts';
import { type LoopbackListener, listenForAnswer } from './loopback-listener.ts';
import { clientAt, type OAuthClient, type RegistrationContext } from './registration.ts';
import type { Remote } from './remote.ts';
import { exchangeToken } from './token-exchange.ts';
import type { TokenRecord } from './token-record.ts';

export interface SignInOptions {
  /** Shows the address to a person, or opens it in their browser. */
  readonly onUrl: (url: string) => void | Promise<void>;
  readonly signal: AbortSignal;
  /** How long a person may take; default five minutes. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 300_000;

/**
 * Authorization code with PKCE S256 (OAuth 2.1), state, issuer and resource checked, back to a loopback address. Throws
 * `authorization_required` when nobody agreed in time, `credentials_refused` for what breaks the rules.
 */
export async function signIn(
  context: RegistrationContext,
  remote: Remote,
  before: TokenRecord | undefined,
  options: SignInOptions,
  now: () => number,
): Promise<TokenRecord> {
  const { egress, announce } = context;
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  let listener: LoopbackListener | undefined;
  try {
    const challenge = await askForChallenge(context, remote, signal);
    const facts = await discoverAuthorization(egress, remote.url, challenge.resourceMetadata, signal);
    const endpoint = assertUsable(facts);
    listener = await listenForAnswer();
    const { redirectUri } = listener;
    const client = await clientAt(facts, redirectUri, { ...context, signal });
    const state = randomBytes(32).toString('base64url');
    const verifier = randomBytes(32).toString('base64url');
    announce(verifier);
    const scopes = scopesFor(remote, challenge, facts, before);
    const answered = listener.answer((given) => isEqual(given, state), signal);
    answered.catch(() => {});
    await options.onUrl(authorizationUrl(endpoint, facts, client, { redirectUri, state, verifier, scopes }));
    const code = codeOf(await answered, facts, remote.name);
    announce(code);
    const issuedAt = now();
    const grant = {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    };
    const issued = await exchangeToken(egress, facts, client, grant, { now, signal });
    const { issuer, resource, tokenEndpoint, methods } = facts;
    return {
      server: remote.url,
      ...{ issuer, resource, tokenEndpoint, methods, client, issuedAt },
      ...(scopes.length > 0 ? { scopes } : {}),
      ...issued,
    };
  } catch (error) {
    if (signal.aborted) throw ended(remote.name, isTimeout(signal.reason), error);
    throw error;
  } finally {
    await listener?.close();
  }
}

function ended(name: string, isLate: boolean, cause: unknown): ToolcribError {
  return isLate
    ? new ToolcribError('authorization_required', `Nobody signed in to the server "${name}" in time.`, {
        cause,
      })
    : new ToolcribError('cancelled', `The sign-in to the server "${name}" was given up.`, { cause });
}

/** What the server says to a client that it does not know: a ping changes nothing. */
async function askForChallenge(
  { egress }: RegistrationContext,
  { name, url }: Remote,
  signal: AbortSignal,
): Promise<Challenge> {
  const request = {
    method: 'POST',
    url,
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
    ],
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  } as const;
  try {
    const limits = { timeoutMs: 15_000, maxBytes: 1024 * 1024, maxRedirects: 0 };
    const { status, headers } = await egress.request(request, limits, signal);
    return status === 401 ? parseChallenge(headers['www-authenticate'] ?? null) : {};
  } catch (error) {
    // a server that answers nothing here may still publish its metadata
    if (!(error instanceof EgressFailure) || signal.aborted) throw error;
    if (error.kind !== 'egress_blocked' && error.sent !== 'none') return {};
    const code = error.kind === 'egress_blocked' ? 'egress_blocked' : 'upstream_unreachable';
    throw new ToolcribError(code, `The server "${name}": ${error.message}.`, { cause: error });
  }
}

/** MCP authorization: without PKCE S256 in its metadata a client does not go on. */
function assertUsable({ issuer, authorizationEndpoint, pkce }: AuthorizationFacts): string {
  if (authorizationEndpoint !== undefined && pkce) return authorizationEndpoint;
  const what = pkce ? 'names no authorization endpoint' : 'does not offer PKCE with S256';
  throw new ToolcribError(
    'credentials_refused',
    `The authorization server ${printable(issuer, 300)} ${what}.`,
  );
}

/** The configuration's, else the challenge's, else the resource's; never less than was granted or missed before. */
function scopesFor(
  { oauth }: Remote,
  challenge: Challenge,
  facts: AuthorizationFacts,
  before: TokenRecord | undefined,
): readonly string[] {
  const asked = oauth.scopes ?? challenge.scopes ?? facts.scopes;
  const earlier = before?.issuer === facts.issuer ? [...(before.scopes ?? []), ...(before.wanted ?? [])] : [];
  const scopes = new Set([...asked, ...earlier]);
  if (scopes.size > 0 && facts.offlineAccess) scopes.add('offline_access');
  return [...scopes];
}

function authorizationUrl(
  endpoint: string,
  { resource }: AuthorizationFacts,
  { id }: OAuthClient,
  asked: {
    readonly redirectUri: string;
    readonly state: string;
    readonly verifier: string;
    readonly scopes: readonly string[];
  },
): string {
  const url = new URL(endpoint);
  const parameters = {
    response_type: 'code',
    client_id: id,
    redirect_uri: asked.redirectUri,
    state: asked.state,
    code_challenge: createHash('sha256').update(asked.verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
    ...(asked.scopes.length > 0 ? { scope: asked.scopes.join(' ') } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** RFC 9207: an answer that names another issuer, or none where it must, is not used, not even its error. */
function codeOf(answer: URLSearchParams, { issuer, issInAnswer }: AuthorizationFacts, name: string): string {
  const iss = answer.get('iss');
  if (iss === null ? issInAnswer : iss !== issuer) {
    const message = `The answer to the sign-in to "${name}" does not come from ${printable(issuer, 300)}.`;
    throw new ToolcribError('credentials_refused', message);
  }
  const code = answer.get('code');
  if (code !== null && code !== '') return code;
  const said = [answer.get('error'), answer.get('error_description')].filter((word) => word !== null);
  const message = `The sign-in to "${name}" was refused: ${printable(said.join(': '), 300) || 'without a reason'}.`;
  throw new ToolcribError('authorization_required', message);
}

function isEqual(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(left!, right!);
}
