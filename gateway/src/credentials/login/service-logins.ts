import { ToolcribError } from '../../errors.ts';
import type { Connection, LoginToken } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { redact } from '../../telemetry/redact.ts';
import { assertOwnToken } from '../acting-user.ts';
import type { IssuedToken, TokenOptions } from '../oauth-tokens.ts';
import { askProvider, isOutOfOrder, type ProviderAnswer } from '../provider-request.ts';
import { type Landed, SharedFlights } from '../shared-flight.ts';
import { tokenKey, tokenKeysOf } from '../token-key.ts';
import { usableUntil } from '../token-lifetime.ts';
import { loginGrant, USUAL_PLACES } from './login-answer.ts';
import { type LoginNeed, type LoginRequest, loginRequest } from './login-request.ts';

/** Tokens of services' own logins, in memory alone. */
export interface ServiceLogins {
  token(need: LoginNeed, signal: AbortSignal): Promise<IssuedToken>;
  /** Throws where nothing could be asked: a secret or an address is not there. Asks nobody. */
  ready(need: LoginNeed, signal: AbortSignal): Promise<void>;
  /** Forgets the connection's tokens; true when there were any. */
  forget(connection: Connection): boolean;
}

/** Of a token of which nobody says when it ends: the service's 401 does. */
const DEFAULT_LIFETIME_MS = 24 * 3_600_000;
/** Services lock accounts after a few wrong passwords: the same one is not tried again so soon. */
const REFUSED_MS = 60_000;
/** A service that refuses what it has just given is not asked for more and more: its login is not what is wrong. */
const MOST_LOGINS = 3;
const MOST_KEPT = 1000;

export function createServiceLogins({
  egress,
  secrets,
  identities,
  announce,
  now,
}: TokenOptions): ServiceLogins {
  const kept = new SharedFlights<string>(now);
  const refusals = new Map<string, { readonly until: number; readonly error: ToolcribError }>();
  /** When there were logins, of the last minute. */
  const logins = new Map<string, readonly number[]>();

  const recent = (key: string) => (logins.get(key) ?? []).filter((at) => at > now() - REFUSED_MS);

  const logIn = async (
    { login, scheme }: LoginNeed,
    outgoing: LoginRequest,
    key: string,
    signal: AbortSignal,
  ): Promise<Landed<string>> => {
    const refusal = refusals.get(key);
    if (refusal !== undefined && refusal.until > now()) throw refusal.error;
    refusals.delete(key);
    const place = login.token ?? cookieOf(scheme);
    const what = `The login at ${outgoing.request.url.split(/[?#]/, 1)[0]}`;
    const answer = await askProvider(egress, outgoing.request, what, signal, 'Call again.');
    const grant = answer.status < 400 ? loginGrant(answer, place, now()) : undefined;
    if (grant === undefined) {
      const error = failed(what, answer, place, outgoing.secrets);
      if (error.code === 'credentials_refused') keep(refusals, key, { until: now() + REFUSED_MS, error });
      throw error;
    }
    keep(logins, key, [...recent(key), now()]);
    announce(grant.token);
    const lifetime = login.lifetime ?? grant.lifetimeMs ?? DEFAULT_LIFETIME_MS;
    return { value: grant.token, usableUntil: usableUntil(now(), lifetime) };
  };

  return {
    async token(need, signal) {
      assertOwnToken(need.connection, need.place);
      const outgoing = await loginRequest(need, secrets, identities, signal);
      const key = keyOf(need, outgoing);
      const token = await kept.get(key, signal, (shared) => logIn(need, outgoing, key, shared));
      return {
        token,
        refused() {
          if (recent(key).length >= MOST_LOGINS) return false;
          kept.forgetValue(key, token);
          return true;
        },
      };
    },
    async ready(need, signal) {
      assertOwnToken(need.connection, need.place);
      await loginRequest(need, secrets, identities, signal);
    },
    forget: (connection) => kept.forget(tokenKeysOf(connection)),
  };
}

/** The oldest goes where there are too many. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next().value;
  if (map.size > MOST_KEPT && oldest !== undefined) map.delete(oldest);
}

function keyOf({ connection, schemeName, login }: LoginNeed, { request }: LoginRequest): string {
  const { method, url, headers, body } = request;
  return tokenKey(connection, schemeName, method, url, headers, body, login.token);
}

/** A session's cookie stands under the name that the scheme gives it. */
function cookieOf(scheme: LoginNeed['scheme']): LoginToken | undefined {
  return scheme?.type === 'apiKey' && scheme.in === 'cookie' ? { cookie: scheme.name } : undefined;
}

function failed(
  what: string,
  answer: ProviderAnswer,
  place: LoginToken | undefined,
  secrets: readonly string[],
): ToolcribError {
  const { status } = answer;
  const said = wordsOf(answer, secrets);
  const told = said === undefined ? '' : `: ${said}`;
  if (status < 400) {
    const members = Object.keys(answer.json ?? {}).map((name) => printable(name, 60));
    const has = members.length === 0 ? '' : ` Its members: ${members.slice(0, 20).join(', ')}.`;
    return new ToolcribError(
      'credentials_refused',
      `${what} answered ${status} and has no token ${placeText(place)}.${has}`,
      { status, next: 'Say by `login.token` where it stands, or look at what is sent.' },
    );
  }
  if (isOutOfOrder(status))
    return new ToolcribError('upstream_unreachable', `${what} answered ${status}${told}`, {
      status,
      next: 'The call itself was not sent. Call again later.',
    });
  return new ToolcribError('credentials_refused', `${what} answered ${status}${told}`, {
    status,
    next: 'Check name and password. The same ones are not tried again for a minute: services lock accounts that fail too often.',
  });
}

function placeText(place: LoginToken | undefined): string {
  if (place === undefined) return `at ${USUAL_PLACES.join(', ')}`;
  if (typeof place === 'string') return place === '' ? 'as its body' : `at ${place}`;
  return 'cookie' in place ? `in a cookie ${place.cookie}` : `in a header ${place.header}`;
}

const SENTENCES = ['error', 'error_description', 'title', 'detail', 'message', 'msg', 'reason'];

/** In the service's words, without what it was sent. */
function wordsOf({ json }: ProviderAnswer, secrets: readonly string[]): string | undefined {
  const words = SENTENCES.flatMap((name) => {
    const word = json?.[name];
    return typeof word === 'string' && word !== '' ? [printable(redact(word, secrets), 300)] : [];
  });
  return words.length === 0 ? undefined : [...new Set(words)].join(': ');
}
