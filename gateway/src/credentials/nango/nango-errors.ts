import { type ErrorCode, type ErrorPlace, ToolcribError } from '../../errors.ts';
import { retryAfterMs } from '../../operations/http/retry-after.ts';
import { isObject } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { redact } from '../../telemetry/redact.ts';
import type { ProviderAnswer } from '../provider-request.ts';
import type { NangoServer } from './nango-server.ts';

/** What was asked for. */
export interface NangoSubject {
  /** In the words of an error: `connection c1 of integration greenhouse`. */
  readonly what: string;
  /** The route that was asked, for an installation that does not have it. */
  readonly path: string;
  /** What a key with scopes needs for it. Default: reading credentials. */
  readonly scope?: string;
}

interface Said {
  readonly code: string;
  readonly message: string;
}

const READ_SCOPE = 'environment:connections:read_credentials';
const DEFAULT_PAUSE_MS = 5_000;

/** Any answer that is no success, as the error that says what to do. Never shows the key. */
export function nangoFailure(
  answer: ProviderAnswer,
  server: NangoServer,
  subject: NangoSubject,
  now: number,
): ToolcribError {
  const { status } = answer;
  const said = saidBy(answer);
  const text = [said?.code, said?.message].filter((part) => part !== undefined && part !== '').join(': ');
  const words = text === '' ? '' : `: ${printable(redact(text, [server.secretKey]), 300)}`;
  const fail = (code: ErrorCode, message: string, more: ErrorPlace = {}) =>
    new ToolcribError(code, `${message} (Nango at ${server.baseUrl} answered ${status}${words}).`, {
      status,
      ...more,
    });
  const { place, keyPlace } = server;
  switch (status) {
    case 401:
      return fail('credentials_refused', `Nango refuses the secret key, which is ${keyPlace}`, {
        next: 'Take the secret key of the right environment from the settings of Nango.',
      });
    case 403:
      return fail('credentials_refused', `The Nango secret key lacks a scope; it is ${keyPlace}`, {
        next: `Give the key the scope ${subject.scope ?? READ_SCOPE}, or take one that has it.`,
      });
    case 404:
      return said === undefined
        ? fail('configuration_invalid', `There is no route ${subject.path}`, { next: noRoute(server) })
        : fail('connection_missing', `Nango has no ${subject.what}`, {
            next: `Compare the id with Nango's list of connections, or connect the account. The id is ${place}.connection, or the connection record's.`,
          });
    case 424:
      return fail('reconnect_required', `The authorisation of ${subject.what} has ended`);
    case 429: {
      // no time at all, or a date that has passed here: asked again at once, it would refuse over and over
      const pauseMs = retryAfterMs(answer.headers, now) || DEFAULT_PAUSE_MS;
      const details = { retryAfterSeconds: pauseMs / 1000 };
      return fail('rate_limited', `Nango takes no more requests for ${Math.ceil(pauseMs / 1000)} s`, {
        details,
      });
    }
    default:
      return fail(...otherFailure(status, said, text, server, subject));
  }
}

function otherFailure(
  status: number,
  said: Said | undefined,
  text: string,
  { place }: NangoServer,
  { what }: NangoSubject,
): [ErrorCode, string, ErrorPlace?] {
  // Versions differ in the status of a refresh that failed: 400, 424, 500.
  if (/refresh|expired|revoked|invalid_grant/i.test(text) && !/^invalid_(?:query|uri)/.test(said?.code ?? ''))
    return ['reconnect_required', `The token of ${what} could not be refreshed`];
  if (status === 400) {
    const next = `Compare the integration with the integration ids of Nango: it is ${place}.integration, or the connection record's.`;
    return ['configuration_invalid', `Nango does not accept the request for ${what}`, { next }];
  }
  return status >= 500
    ? ['upstream_failed', `Nango could not look up ${what}`]
    : ['credentials_refused', `Nango gives no credential for ${what}`];
}

/** What to do where an address answers, but not as Nango's API does: a web page of Nango, a proxy, an older version. */
export function notTheApi({ place }: NangoServer): string {
  return `Compare ${place}.baseUrl with the address of Nango's API: this may be its web page, or another service.`;
}

function noRoute(server: NangoServer): string {
  const { place, route } = server;
  const mend =
    route === 'deprecated'
      ? `a newer Nango takes no ${place}.route: deprecated`
      : `an older Nango needs ${place}.route: deprecated`;
  return `${notTheApi(server)} Or ${mend}.`;
}

/** `{error: {code, message}}`, `{error: text}` or `{message}`; undefined for what is no error of the API itself. */
function saidBy({ json }: ProviderAnswer): Said | undefined {
  if (json === undefined) return undefined;
  const { error } = json;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  if (isObject(error)) return { code: text(error['code']), message: text(error['message']) };
  if (typeof error === 'string') return { code: text(json['error_code']), message: error };
  return typeof json['message'] === 'string' ? { code: '', message: json['message'] } : undefined;
}
