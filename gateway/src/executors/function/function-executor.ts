import { isToolcribError, ToolcribError } from '../../errors.ts';
import { type Call, isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { memberPointer } from '../../operations/text/document-path.ts';
import { messageOf } from '../../operations/text/message-of.ts';
import { problemsOf } from '../../operations/text/schema-problems.ts';
import { isFunctionOutput } from '../../sources/function/define.ts';
import { isZodType } from '../../sources/function/json-schemas.ts';
import type { FunctionRegistry, RegisteredFunction } from '../../sources/function/registry.ts';
import type { Executor, RawResult } from '../executor.ts';

/** Runs handlers in this process. What a handler throws becomes a failed result; a ToolcribError stays one. */
export function createFunctionExecutor(registry: FunctionRegistry): Executor {
  return {
    async execute(call, context) {
      const tool = functionOf(call, registry);
      if (call.dryRun) return described(call);
      const args = await parsedArguments(tool, call);
      context.signal.throwIfAborted();
      const functionContext = registry.context(call.operation.source, {
        id: call.id,
        signal: context.signal,
        channel: call.channel,
      });
      try {
        const answer = await untilAborted(call, context.signal, async () =>
          tool.definition.handler(args, functionContext),
        );
        return rawResult(tool, answer);
      } catch (error) {
        if (isToolcribError(error)) throw error;
        return failed(error);
      }
    },
  };
}

function functionOf({ operation }: Call, registry: FunctionRegistry): RegisteredFunction {
  const { invocation, source } = operation;
  const tool = invocation.kind === 'function' ? registry.tool(source, invocation.function) : undefined;
  if (tool !== undefined) return tool;
  throw new ToolcribError('tool_unknown', `Source ${source} has no function for ${operation.id}.`);
}

/** A zod input is applied for good: defaults, transforms and refinements that JSON Schema cannot say. */
async function parsedArguments(
  { definition: { input } }: RegisteredFunction,
  call: Call,
): Promise<JsonObject> {
  if (!isZodType(input)) return call.arguments;
  const outcome = await input.safeParseAsync(call.arguments);
  if (outcome.success) return outcome.data as JsonObject;
  const problems = problemsOf(outcome.error.issues, call.arguments);
  const pointer = memberPointer(problems[0]!.path);
  throw new ToolcribError(
    'arguments_invalid',
    `The arguments of ${call.tool} do not fit its input: ${problems.map(({ message }) => message).join(' ')}`,
    { pointer },
  );
}

/** Ends with the signal even where the handler does not listen to it; its late outcome is dropped. */
async function untilAborted<T>(call: Call, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(ended(call, signal));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([run(), aborted.promise]);
  } catch (error) {
    throw signal.aborted && !isToolcribError(error) ? ended(call, signal) : error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** A stopped handler that writes may have written. */
function ended(call: Call, signal: AbortSignal): ToolcribError {
  const timedOut = (signal.reason as Error | undefined)?.name === 'TimeoutError';
  if (!timedOut) return new ToolcribError('cancelled', `The call of ${call.tool} was cancelled.`);
  const { access, safety } = call.operation;
  const repeatable = access === 'read' || safety.idempotent;
  return new ToolcribError(
    repeatable ? 'deadline_exceeded' : 'outcome_unknown',
    `${call.tool} did not end before its deadline.`,
  );
}

function rawResult(tool: RegisteredFunction, answer: unknown): RawResult {
  if (isFunctionOutput(answer)) {
    if (answer.kind === 'input_required') {
      const { requests, state } = answer;
      return { kind: 'input_required', requests, ...(state === undefined ? {} : { state }) };
    }
    const { content, structured, failed } = answer;
    return {
      kind: 'value',
      content,
      ...(structured === undefined ? {} : { structured: underResult(tool, structured) }),
      ...(failed === undefined ? {} : { failed }),
    };
  }
  return valueResult(tool, (answer ?? null) as Json);
}

/** Text for every client; structured content where the value is an object or the tool declares its output. */
function valueResult(tool: RegisteredFunction, answer: Json): RawResult {
  const value = underResult(tool, answer);
  const text = JSON.stringify(value);
  const plain = typeof value === 'string' ? value : text;
  return {
    kind: 'value',
    content: [{ type: 'text', text: plain }],
    ...(isObject(value) ? { structured: JSON.parse(text) as Json } : {}),
  };
}

function underResult(tool: RegisteredFunction, value: Json): Json {
  return tool.wrapsResult ? { result: value } : value;
}

function failed(error: unknown): RawResult {
  const message = messageOf(error);
  return {
    kind: 'value',
    failed: true,
    content: [{ type: 'text', text: message || 'The function failed.' }],
  };
}

function described(call: Call): RawResult {
  const text = JSON.stringify({ function: call.operation.id, arguments: call.arguments });
  return { kind: 'value', content: [{ type: 'text', text }] };
}
