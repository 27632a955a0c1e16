import { isObject } from '../../operations/index.ts';

/** What a client's `_meta` says about a call beside the protocol's own keys. */
export interface CallMeta {
  /** What several calls belong to. */
  readonly run?: string;
  /** W3C trace context. */
  readonly traceparent?: string;
  /** Id of the approval that the caller was told of. */
  readonly approval?: string;
}

const MAX_RUN = 128;
/** W3C Trace Context §3.2.2, any version. */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-.{0,256})?$/;
const APPROVAL = /^[0-9a-f]{32}$/;
const RUN = /^[\x21-\x7e]+$/;

/**
 * What cannot be read as such is left out: it decides nothing. The trace context of the call itself wins over that of
 * the HTTP request it came in.
 */
export function callMeta(given: unknown, request?: Request): CallMeta {
  const meta = isObject(given) ? given : {};
  const traceparent = meta['traceparent'] ?? request?.headers.get('traceparent');
  const run = meta['toolcrib/run'];
  const approval = meta['toolcrib/approval'];
  return {
    ...(typeof run === 'string' && run.length <= MAX_RUN && RUN.test(run) ? { run } : {}),
    ...(typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? { traceparent } : {}),
    ...(typeof approval === 'string' && APPROVAL.test(approval) ? { approval } : {}),
  };
}

/** What a request of this meta belongs to: what it says itself, else this. */
export function runOf(given: unknown, ownRun: string | undefined): Pick<CallMeta, 'run'> {
  const { run = ownRun } = callMeta(given);
  return run === undefined ? {} : { run };
}
