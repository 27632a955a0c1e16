import { type ErrorCode, ToolcribError } from '../../errors.ts';
import { retryAfterMs } from '../../operations/http/retry-after.ts';
import { isObject } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { redact } from '../../telemetry/redact.ts';
import type { ProviderAnswer } from '../provider-request.ts';
import type { NangoServer } from './nango-server.ts';

/** What was asked for, in the words of an error: `connection c1 of integration greenhouse`. */
export interface NangoSubject {
  readonly what: string;
  /** The route that was asked, for an installation that does not have it. */
  readonly path: string;
}

interface Said {
  readonly code: string;
  readonly message: string;
}

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
  const fail = (code: ErrorCode, message: string, details?: Record<string, unknown>) =>
    new ToolcribError(code, `${message} (Nango at ${server.baseUrl} answered ${status}${words}).`, {
      status,
      ...(details === undefined ? {} : { details }),
    });
  switch (status) {
    case 401:
      return fail('credentials_refused', `Nango refuses the secret key, which is ${server.keyPlace}`);
    case 403:
      return fail('credentials_refused', `The Nango secret key lacks a scope; it is ${server.keyPlace}`);
    case 404:
      return said === undefined
        ? fail(
            'configuration_invalid',
            `This Nango has no route ${subject.path}; for an older one set route: deprecated`,
          )
        : fail('connection_missing', `Nango has no ${subject.what}`);
    case 424:
      return fail('reconnect_required', `The authorisation of ${subject.what} has ended`);
    case 429: {
      const pauseMs = retryAfterMs(answer.headers, now) ?? DEFAULT_PAUSE_MS;
      return fail('rate_limited', `Nango takes no more requests for ${Math.ceil(pauseMs / 1000)} s`, {
        retryAfterSeconds: pauseMs / 1000,
      });
    }
    default:
      return fail(...otherFailure(status, said, text, subject));
  }
}

function otherFailure(
  status: number,
  said: Said | undefined,
  text: string,
  { what }: NangoSubject,
): [ErrorCode, string] {
  // Versions differ in the status of a refresh that failed: 400, 424, 500.
  if (/refresh|expired|revoked|invalid_grant/i.test(text) && !/^invalid_(?:query|uri)/.test(said?.code ?? ''))
    return ['reconnect_required', `The token of ${what} could not be refreshed`];
  if (status === 400) return ['configuration_invalid', `Nango does not accept the request for ${what}`];
  return status >= 500
    ? ['upstream_failed', `Nango could not look up ${what}`]
    : ['credentials_refused', `Nango gives no credential for ${what}`];
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
