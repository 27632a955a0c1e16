import type { ServerContext } from '@modelcontextprotocol/server';
import { isObject, readTrace, type TraceFields } from '../../operations/index.ts';

/** What a client's `_meta` says about a call beside the protocol's own keys. */
export interface CallMeta extends TraceFields {
  /** What several calls belong to. */
  readonly run?: string;
  /** Id of the approval that the caller was told of. */
  readonly approval?: string;
}

const MAX_RUN = 128;
const APPROVAL = /^[0-9a-f]{32}$/;
const RUN = /^[\x21-\x7e]+$/;

/**
 * What cannot be read as such is left out: it decides nothing. The trace context of the call itself wins over that of
 * the HTTP request it came in.
 */
export function callMeta(given: unknown, request?: Request): CallMeta {
  const meta = isObject(given) ? given : {};
  const { headers } = request ?? {};
  const trace =
    meta['traceparent'] === undefined
      ? readTrace(headers?.get('traceparent'), headers?.get('tracestate'))
      : readTrace(meta['traceparent'], meta['tracestate']);
  const run = meta['toolcrib/run'];
  const approval = meta['toolcrib/approval'];
  return {
    ...(typeof run === 'string' && run.length <= MAX_RUN && RUN.test(run) ? { run } : {}),
    ...trace,
    ...(typeof approval === 'string' && APPROVAL.test(approval) ? { approval } : {}),
  };
}

/** The run and the trace that a request belongs to: what it says itself, else `ownRun` and none. */
export function belongsTo(
  { mcpReq, http }: ServerContext,
  ownRun: string | undefined,
): Omit<CallMeta, 'approval'> {
  const { run = ownRun, approval: _calls, ...trace } = callMeta(mcpReq._meta, http?.req);
  return run === undefined ? trace : { run, ...trace };
}
