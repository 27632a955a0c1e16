import { EgressFailure, type FailureKind, type Sent } from './egress.ts';
import { isAlert, TLS_FAULTS, type TlsFault, tlsFaultOf } from './tls-fault.ts';

export interface Progress {
  readonly host: string;
  readonly sent: Sent;
  /** Set once the head of the answer was there. */
  readonly status: number | undefined;
}

/** System errors that mean: no connection, so no byte left. */
const REFUSED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
]);

/** What undici, TLS or the system reported, as one of the door's own kinds. */
export function failureOf(error: unknown, progress: Progress): EgressFailure {
  if (error instanceof EgressFailure) return error;
  const code = codeOf(error);
  const { host, sent, status } = progress;
  const make = (kind: FailureKind, what: string, tls?: TlsFault) =>
    new EgressFailure(kind, sent, `${host} ${what}${code === '' ? '' : ` (${code})`}`, {
      cause: error,
      ...(status === undefined ? {} : { status }),
      ...(tls === undefined ? {} : { tls }),
    });
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return make('cancelled', 'was not waited for: the gateway is shutting down');
  }
  if (sent === 'none') return beforeSending(code, make);
  if (status === undefined && isAlert(code)) return make('tls_cert', TLS_FAULTS.refused, 'refused');
  if (breaksProtocol(error, code, status !== undefined)) {
    return make('malformed', 'sent an answer that breaks the rules of HTTP');
  }
  return status === undefined
    ? make('reset', 'closed the connection without an answer')
    : make('body_truncated', 'closed the connection in the middle of its answer');
}

/** The parser's complaints; that an answer ends too early is none of them. */
function breaksProtocol(error: unknown, code: string, headArrived: boolean): boolean {
  const { name = '', message = '' } = error instanceof Error ? error : {};
  if (name === 'HTTPParserError') return !(headArrived && message.includes('EOF'));
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return !headArrived;
  if (code === 'UND_ERR_SOCKET') return /bad (response|upgrade)/.test(message);
  return code === 'UND_ERR_HEADERS_OVERFLOW';
}

function beforeSending(
  code: string,
  make: (kind: FailureKind, what: string, tls?: TlsFault) => EgressFailure,
): EgressFailure {
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return make('connect_timeout', 'does not accept a connection in time');
  }
  if (REFUSED.has(code)) return make('connect_refused', 'refuses the connection');
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return make('request_invalid', 'cannot be asked this way: the request was not sent');
  }
  const tls = tlsFaultOf(code);
  if (tls !== undefined) return make('tls_cert', TLS_FAULTS[tls], tls);
  if (code === 'EMFILE' || code === 'ENFILE') {
    return make('reset', 'was not connected to: too many files and connections are open on this side');
  }
  return make('reset', 'closed the connection before the request was sent');
}

/** Of several addresses tried, the first one's code (AggregateError). */
function codeOf(error: unknown): string {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  return Array.isArray(errors) && errors.length > 0 ? codeOf(errors[0]) : '';
}
