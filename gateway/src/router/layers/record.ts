import { asToolcribError, ERRORS, type ErrorCode, type ToolcribError } from '../../errors.ts';
import {
  type Call,
  type CallEvent,
  type CallFacts,
  type CompletedResult,
  type EventBody,
  type JsonObject,
  parseTraceparent,
  type Result,
  type ShapingRequest,
  storedIdOf,
} from '../../operations/index.ts';
import { type CallRecorder, createCallRecorder } from '../call-steps.ts';
import type { Layer } from '../compose.ts';
import { withoutWriteOnly } from '../write-only.ts';
import { type ProgressNotes, withProgressNotes } from './progress-notes.ts';
import { unlessStopped, whenStopped } from './when-stopped.ts';

/** Commits a fact. A promise where that takes time; rejects with `store_unavailable`. */
export type Append = (event: EventBody) => unknown;

/** What a call's events say beside who called what. */
export interface RecordDetails {
  /** Arguments for the start, and the shape that is asked for: redacted, bounded. */
  readonly input?: (args: JsonObject, shaping: ShapingRequest | undefined) => JsonObject;
  /** One line for the end, never content. */
  readonly summary?: (result: CompletedResult) => string;
  /** Takes secrets out of the message of a failure. */
  readonly redact?: (text: string) => string;
  /** Commits what a call says it is doing. */
  readonly progress?: ProgressNotes;
}

/**
 * Outermost: every started call gets exactly one terminal event, committed before its answer, and every fault
 * becomes a result. What may change something begins only after its start is committed, so that a crash in the
 * middle leaves a trace. `capability_missing` goes on as an error: for MCP it is a protocol error (-32021).
 */
export function recordLayer(
  append: Append,
  fault: (error: unknown, call: Call) => void,
  details: RecordDetails = {},
): Layer {
  const { progress, input } = details;
  return async (call, next) => {
    const started = performance.now();
    const steps = createCallRecorder(started);
    const facts: CallFacts = { steps };
    const recorded: Call = { ...call, facts };
    const inner = progress === undefined ? recorded : withProgressNotes(recorded, progress);
    let opened: unknown;
    try {
      const start = eventOf(call, 'call-started');
      opened = append(
        input === undefined ? start : { ...start, input: shownInput(call, call.arguments, input) },
      );
      if (opened instanceof Promise) {
        if (call.operation.access === 'read') opened.catch(() => undefined);
        else {
          await opened;
          steps.note('record', started, 'passed');
        }
      }
    } catch (error) {
      return unrecorded(error, call, fault);
    }
    let answer: Answer;
    try {
      const result = await next(inner);
      answer = { result, error: result.kind === 'completed' ? result.error : undefined };
    } catch (thrown) {
      const error = whenStopped(asToolcribError(thrown), call);
      if (error.code === 'internal') fault(thrown, call);
      answer = { result: failed(error, call), error, thrown: error };
    }
    const { result, error, thrown } = answer;
    try {
      const committed = append(terminalEvent(recorded, { started, steps }, result, error, details));
      const written = [opened, committed].filter((one) => one instanceof Promise);
      if (written.length > 0) await unlessStopped(Promise.all(written), call);
    } catch (failure) {
      return call.operation.access === 'read'
        ? unrecorded(failure, call, fault)
        : withNote(result, failure, call, fault);
    }
    if (thrown?.code === 'capability_missing') throw thrown;
    return result;
  };
}

function shownInput(
  { operation, shaped }: Call,
  args: JsonObject,
  input: NonNullable<RecordDetails['input']>,
): JsonObject {
  return input(withoutWriteOnly(args, operation.input), shaped?.request);
}

interface Answer {
  readonly result: Result;
  readonly error:
    | {
        readonly code: ErrorCode;
        readonly message: string;
        readonly next?: string | undefined;
        readonly status?: number | undefined;
      }
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
function withNote(
  result: Result,
  error: unknown,
  call: Call,
  fault: (error: unknown, call: Call) => void,
): Result {
  fault(error, call);
  if (result.kind !== 'completed') return result;
  const end = `could not be recorded (${asToolcribError(error).code}).`;
  const warning =
    result.error === undefined
      ? `The call was carried out, but its end ${end}`
      : `The end of the call ${end}`;
  return {
    ...result,
    content: [...result.content, { type: 'text', text: `Note: ${warning}` }],
    warnings: [...(result.warnings ?? []), warning],
  };
}

function terminalEvent(
  call: Call,
  { started, steps }: { readonly started: number; readonly steps: CallRecorder },
  result: Result,
  error: Answer['error'],
  { input, summary, redact = (text) => text }: RecordDetails,
): CallEvent {
  const edited = call.facts?.edited;
  const completed = result.kind === 'completed' ? result : undefined;
  const status = error?.status ?? completed?.status;
  const artifact = artifactOf(completed);
  return {
    ...eventOf(call, error ? 'call-failed' : 'call-completed'),
    durationMs: Math.round((performance.now() - started) * 100) / 100,
    ...(edited === undefined || input === undefined ? {} : { input: shownInput(call, edited, input) }),
    ...(status === undefined ? {} : { status }),
    ...(artifact === undefined ? {} : { artifact }),
    ...(error ? failureOf(error, redact) : summaryOf(result, summary)),
    ...steps.told(redact),
  };
}

function failureOf(
  { code, message, next = ERRORS[code].next }: NonNullable<Answer['error']>,
  redact: (text: string) => string,
): Pick<CallEvent, 'code' | 'message' | 'next'> {
  return { code, message: redact(message), next: redact(next) };
}

function summaryOf(result: Result, summary: RecordDetails['summary']): Pick<CallEvent, 'summary'> {
  if (summary === undefined) return {};
  return { summary: result.kind === 'completed' ? summary(result) : 'waits for input of the client' };
}

/** Id of the stored full output. */
function artifactOf(result: CompletedResult | undefined): string | undefined {
  const uri = result?.artifacts?.[0];
  return uri === undefined ? undefined : storedIdOf(uri);
}

/** A failed call as a result: code, place and what to do next. */
function failed(error: ToolcribError, call: Call): CompletedResult {
  const message = error.code === 'internal' ? `${error.message} Correlation id ${call.id}.` : error.message;
  const place = error.pointer === undefined ? '' : ` (at ${error.pointer})`;
  const link = typeof error.details?.['link'] === 'string' ? `\nLink: ${error.details['link']}` : '';
  const text = error.text ?? `${error.code}: ${message}${place}\n${error.next}${link}`;
  return {
    kind: 'completed',
    content: [{ type: 'text', text }],
    error: {
      code: error.code,
      message,
      next: error.next,
      ...(error.status === undefined ? {} : { status: error.status }),
      ...(error.details === undefined ? {} : { details: JSON.parse(JSON.stringify(error.details)) }),
    },
    ...(error.meta === undefined ? {} : { meta: error.meta as JsonObject }),
  };
}

function eventOf(call: Call, type: CallEvent['type']): CallEvent {
  const { operation, principal, run, traceparent } = call;
  const approval = call.facts?.approval ?? call.approval;
  const trace = traceparent === undefined ? undefined : parseTraceparent(traceparent)?.traceId;
  return {
    type,
    call: call.id,
    ...(run === undefined ? {} : { run }),
    ...(approval === undefined ? {} : { approval }),
    ...(trace === undefined ? {} : { trace }),
    principal: principal.id,
    ...(principal.organisation === undefined ? {} : { organisation: principal.organisation }),
    tool: call.tool,
    operation: operation.id,
    source: operation.source,
    access: operation.access,
    ...(call.dryRun === true ? { dryRun: true } : {}),
  };
}
