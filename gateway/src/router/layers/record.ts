import { asToolcribError, type ToolcribError } from '../../errors.ts';
import type { Call, CallEvent, CompletedResult, EventBody, Result } from '../../operations/index.ts';
import type { Layer } from '../compose.ts';

/** Commits a fact. A promise where that takes time; rejects with `store_unavailable`. */
export type Append = (event: EventBody) => unknown;

/**
 * Outermost: every started call gets exactly one terminal event, committed before its answer, and every fault
 * becomes a result. What may change something begins only after its start is committed, so that a crash in the
 * middle leaves a trace. `capability_missing` goes on as an error: for MCP it is a protocol error (-32021).
 */
export function recordLayer(append: Append, fault: (error: unknown, call: Call) => void): Layer {
  return async (call, next) => {
    const started = performance.now();
    const end = (error: { code: string; message: string } | undefined, status: number | undefined) =>
      append(terminalEvent(call, started, error, status));
    let opened: unknown;
    try {
      opened = append(eventOf(call, 'call-started'));
      if (opened instanceof Promise) {
        if (call.operation.access === 'read') opened.catch(() => undefined);
        else await opened;
      }
    } catch (error) {
      return unrecorded(error, call, fault);
    }
    let answer: Answer;
    try {
      const result = await next(call);
      answer = { result, error: result.kind === 'completed' ? result.error : undefined };
    } catch (thrown) {
      const error = asToolcribError(thrown);
      if (error.code === 'internal') fault(thrown, call);
      answer = { result: failed(error, call), error, thrown: error };
    }
    const { result, error, thrown } = answer;
    try {
      const own = result.kind === 'completed' ? result.status : undefined;
      const committed = end(error, error?.status ?? own);
      if (opened instanceof Promise) await opened;
      if (committed instanceof Promise) await committed;
    } catch (failure) {
      return call.operation.access === 'read'
        ? unrecorded(failure, call, fault)
        : noted(result, failure, call, fault);
    }
    if (thrown?.code === 'capability_missing') throw thrown;
    return result;
  };
}

interface Answer {
  readonly result: Result;
  readonly error:
    | { readonly code: string; readonly message: string; readonly status?: number | undefined }
    | undefined;
  readonly thrown?: ToolcribError;
}

/** A call that leaves no trace is refused; nothing was sent, or nothing was changed by it. */
function unrecorded(
  error: unknown,
  call: Call,
  fault: (error: unknown, call: Call) => void,
): CompletedResult {
  fault(error, call);
  return failed(asToolcribError(error), call);
}

/** What was written stays written: its answer goes out, and says what is wrong. */
function noted(
  result: Result,
  error: unknown,
  call: Call,
  fault: (error: unknown, call: Call) => void,
): Result {
  fault(error, call);
  if (result.kind !== 'completed') return result;
  const warning = `The call was carried out, but its end could not be recorded (${asToolcribError(error).code}).`;
  return {
    ...result,
    content: [...result.content, { type: 'text', text: `Note: ${warning}` }],
    warnings: [...(result.warnings ?? []), warning],
  };
}

function terminalEvent(
  call: Call,
  started: number,
  error: { readonly code: string; readonly message: string } | undefined,
  status: number | undefined,
): CallEvent {
  return {
    ...eventOf(call, error ? 'call-failed' : 'call-completed'),
    durationMs: Math.round((performance.now() - started) * 100) / 100,
    ...(status === undefined ? {} : { status }),
    ...(error ? { code: error.code, message: error.message } : {}),
  };
}

/** A failed call as a result: code, place and what to do next. */
function failed(error: ToolcribError, call: Call): CompletedResult {
  const message = error.code === 'internal' ? `${error.message} Correlation id ${call.id}.` : error.message;
  const place = error.pointer === undefined ? '' : ` (at ${error.pointer})`;
  const link = typeof error.details?.['link'] === 'string' ? `\nLink: ${error.details['link']}` : '';
  return {
    kind: 'completed',
    content: [{ type: 'text', text: `${error.code}: ${message}${place}\n${error.next}${link}` }],
    error: {
      code: error.code,
      message,
      next: error.next,
      ...(error.status === undefined ? {} : { status: error.status }),
      ...(error.details === undefined ? {} : { details: JSON.parse(JSON.stringify(error.details)) }),
    },
  };
}

function eventOf(call: Call, type: CallEvent['type']): CallEvent {
  const { operation } = call;
  return {
    type,
    call: call.id,
    principal: call.principal.id,
    ...(call.principal.organisation === undefined ? {} : { organisation: call.principal.organisation }),
    tool: call.tool,
    operation: operation.id,
    source: operation.source,
    access: operation.access,
  };
}
