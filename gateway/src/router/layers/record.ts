import { asToolcribError, type ToolcribError } from '../../errors.ts';
import type { Call, CallEvent, CompletedResult, EventBody } from '../../operations/index.ts';
import type { Layer } from '../compose.ts';

/**
 * Outermost: every started call gets exactly one terminal event, and every fault becomes a result.
 * `capability_missing` goes on as an error: for MCP it is a protocol error (-32021), not a tool result.
 */
export function recordLayer(
  record: (event: EventBody) => void,
  fault: (error: unknown, call: Call) => void,
): Layer {
  return async (call, next) => {
    const started = performance.now();
    record(eventOf(call, 'call-started'));
    const end = (error: { code: string; message: string } | undefined, status: number | undefined) => {
      const durationMs = Math.round((performance.now() - started) * 100) / 100;
      record({
        ...eventOf(call, error ? 'call-failed' : 'call-completed'),
        durationMs,
        ...(status === undefined ? {} : { status }),
        ...(error ? { code: error.code, message: error.message } : {}),
      });
    };
    try {
      const result = await next(call);
      if (result.kind === 'completed') end(result.error, result.error?.status ?? result.status);
      else end(undefined, undefined);
      return result;
    } catch (thrown) {
      const error = asToolcribError(thrown);
      if (error.code === 'internal') fault(thrown, call);
      end(error, error.status);
      if (error.code === 'capability_missing') throw error;
      return failed(error, call);
    }
  };
}

/** A failed call as a result: code, place and what to do next. */
function failed(error: ToolcribError, call: Call): CompletedResult {
  const message = error.code === 'internal' ? `${error.message} Correlation id ${call.id}.` : error.message;
  const place = error.pointer === undefined ? '' : ` (at ${error.pointer})`;
  return {
    kind: 'completed',
    content: [{ type: 'text', text: `${error.code}: ${message}${place}\n${error.next}` }],
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
    tool: call.tool,
    operation: operation.id,
    source: operation.source,
    access: operation.access,
  };
}
