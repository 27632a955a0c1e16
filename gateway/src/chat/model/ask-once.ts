import type { Egress } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { ChatToolCall, ChatUsage } from '../../operations/chat.ts';
import { MAX_CALLS } from '../limits.ts';
import { modelDoor, WholeAnswer } from './door.ts';
import { type ModelLibrary, openModel } from './library.ts';
import type { ModelAnswer, ModelRequest } from './model.ts';
import { callOptions } from './prompt.ts';
import { sentence } from './refusal.ts';

/** What an answer has so far. */
interface Gathered {
  text: string;
  reasoning: string;
  calls: ChatToolCall[];
}

/**
 * One request: the text as it comes, then the whole answer. Throws Refusal, EgressFailure, and `model_failed` for an
 * answer that is none.
 */
export async function* askOnce(
  egress: Pick<Egress, 'fetch'>,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<string, ModelAnswer> {
  const { apiKey } = request;
  const door = modelDoor(egress, apiKey);
  const model = await openModel({ ...request, fetch: door.fetch });
  let stream: Awaited<ReturnType<ModelLibrary['doStream']>>['stream'];
  try {
    ({ stream } = await model.doStream(callOptions(request, signal)));
  } catch (error) {
    const failure = door.failure() ?? error;
    if (!(failure instanceof WholeAnswer)) throw failure;
    return yield* readWhole(model, failure.response);
  }
  const gathered: Gathered = { text: '', reasoning: '', calls: [] };
  let end: Pick<ModelAnswer, 'finish' | 'usage'> | undefined;
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
        gathered.text += part.delta;
        yield part.delta;
        break;
      case 'reasoning-delta':
        gathered.reasoning += part.delta;
        break;
      case 'tool-call':
        take(gathered, part);
        break;
      case 'error':
        throw unreadable(part.error, apiKey);
      case 'finish':
        end = { finish: finishOf(part.finishReason.unified), usage: usageOf(part.usage) };
        break;
    }
  }
  if (end === undefined) throw unreadable(undefined, apiKey);
  return { ...gathered, ...end };
}

/** Throws `model_failed`, EgressFailure. */
async function* readWhole(model: ModelLibrary, response: Response): AsyncGenerator<string, ModelAnswer> {
  const body = await response.text();
  let answer: Awaited<ReturnType<ModelLibrary['convertResponse']>>;
  try {
    answer = await model.convertResponse({ body: JSON.parse(body) });
  } catch (error) {
    throw unreadable(error, undefined);
  }
  const gathered: Gathered = { text: '', reasoning: '', calls: [] };
  for (const part of answer.content) {
    if (part.type === 'text') gathered.text += part.text;
    else if (part.type === 'reasoning') gathered.reasoning += part.text;
    else if (part.type === 'tool-call') take(gathered, part);
  }
  if (gathered.text !== '') yield gathered.text;
  return { ...gathered, finish: finishOf(answer.finishReason.unified), usage: usageOf(answer.usage) };
}

interface CallPart {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: string;
  readonly providerMetadata?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

function take(gathered: Gathered, { toolCallId, toolName, input, providerMetadata }: CallPart): void {
  if (gathered.calls.length >= MAX_CALLS) return;
  const signature = providerMetadata?.['chat']?.['thoughtSignature'];
  // two calls of one id could not be told apart when their results are sent
  const taken = gathered.calls.some(({ id }) => id === toolCallId);
  gathered.calls.push({
    id: taken ? `${toolCallId}-${gathered.calls.length}` : toolCallId,
    name: toolName,
    arguments: input,
    ...(typeof signature === 'string' ? { signature } : {}),
  });
}

/** Errors of the library name what it could not read, and may repeat it: only the endpoint's own sentence is told. */
function unreadable(problem: unknown, key: string | undefined): unknown {
  if (isFailureOfTheDoor(problem)) return problem;
  const said = problem === undefined || problem instanceof Error ? '' : sentence(problem, key);
  const what = said === '' ? 'sent no whole answer that can be read' : `broke off: ${said}`;
  return new ToolcribError('model_failed', `The model's endpoint ${what}.`.replace(/\.\.$/, '.'), {
    cause: problem,
  });
}

function isFailureOfTheDoor(problem: unknown): boolean {
  return problem instanceof Error && problem.name === 'EgressFailure';
}

const FINISHES: Readonly<Record<string, ModelAnswer['finish']>> = {
  stop: 'stop',
  'tool-calls': 'stop',
  length: 'length',
  'content-filter': 'content_filter',
};

function finishOf(unified: string): ModelAnswer['finish'] {
  return FINISHES[unified] ?? 'other';
}

function usageOf({
  inputTokens,
  outputTokens,
}: {
  readonly inputTokens: { readonly total: number | undefined };
  readonly outputTokens: { readonly total: number | undefined };
}): ChatUsage {
  return {
    ...(inputTokens.total === undefined ? {} : { input_tokens: inputTokens.total }),
    ...(outputTokens.total === undefined ? {} : { output_tokens: outputTokens.total }),
  };
}
