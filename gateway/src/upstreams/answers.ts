import {
  type Completion,
  type InputRequest,
  type InputRequiredResult,
  isObject,
  type Json,
  type JsonObject,
  MAX_COMPLETIONS,
} from '../operations/index.ts';
import { isShallow, MAX_LEVELS } from '../operations/json/is-shallow.ts';
import { asText, blockOf, resourceContent } from './content-blocks.ts';
import { malformedAnswer } from './session/session-error.ts';
import { MOST_QUESTIONS } from './session/tapped-transport.ts';
import type { UpstreamAnswer, UpstreamPrompt, UpstreamResource } from './upstreams.ts';

/** Characters of a state, which goes to the client and comes back in the body of its next request. */
const MAX_STATE = 1024 * 1024;

/** The questions of an InputRequiredResult (MCP 2026-07-28); undefined for every other result. Throws `malformed`. */
export function inputRequired(result: JsonObject): InputRequiredResult | undefined {
  if (result['resultType'] !== 'input_required') return undefined;
  assertShallow(result);
  const { inputRequests = {}, requestState } = result;
  if (!isObject(inputRequests)) throw malformedAnswer('its input requests are no object');
  if (Object.keys(inputRequests).length > MOST_QUESTIONS)
    throw malformedAnswer(`it asks more than ${MOST_QUESTIONS} things at once`);
  if (typeof requestState === 'string' && requestState.length > MAX_STATE)
    throw malformedAnswer(`its state is longer than ${MAX_STATE} characters`);
  const requests: Record<string, InputRequest> = {};
  for (const [key, request] of Object.entries(inputRequests)) {
    if (!isQuestion(request)) throw malformedAnswer('it asks for something that MCP does not know');
    requests[key] = request;
  }
  if (Object.keys(requests).length === 0 && typeof requestState !== 'string')
    throw malformedAnswer('it asks for nothing');
  return {
    kind: 'input_required',
    requests,
    ...(typeof requestState === 'string' ? { state: requestState } : {}),
  };
}

/** The questions of error -32042 (MCP 2025-11-25): pages to open before the call is made again. */
export function pagesToOpen(data: unknown): InputRequiredResult | undefined {
  const elicitations = isObject(data) ? data['elicitations'] : undefined;
  if (!Array.isArray(elicitations) || elicitations.length === 0 || elicitations.length > MOST_QUESTIONS)
    return undefined;
  if (!isShallow(elicitations)) return undefined;
  const requests: Record<string, InputRequest> = {};
  for (const [index, params] of elicitations.entries()) {
    if (!isObject(params) || typeof params['url'] !== 'string') return undefined;
    requests[`url_${index + 1}`] = { method: 'elicitation/create', params: { ...params, mode: 'url' } };
  }
  return { kind: 'input_required', requests };
}

/** Throws `malformed` unless it has content or a structured value. */
export function toolAnswer(given: JsonObject): UpstreamAnswer {
  assertShallow(given);
  const result = ofFirstVersion(given);
  const { content = [], structuredContent, isError, _meta } = result;
  if (
    !Array.isArray(content) ||
    (content.length === 0 && !('content' in result) && structuredContent === undefined)
  )
    throw malformedAnswer('it has no content');
  return {
    kind: 'answer',
    content: content.map(blockOf),
    failed: isError === true,
    ...(structuredContent === undefined ? {} : { structured: structuredContent }),
    ...(isObject(_meta) ? { meta: _meta } : {}),
  };
}

/** In MCP 2024-10-07 an answer is `{ toolResult }`, of any value; servers of that day still wrap what they say in it. */
function ofFirstVersion(result: JsonObject): JsonObject {
  const { toolResult } = result;
  if (toolResult === undefined || 'content' in result || 'structuredContent' in result) return result;
  if (isObject(toolResult) && Array.isArray(toolResult['content'])) return toolResult;
  return { content: [asText(toolResult)] };
}

export function resourceAnswer(result: JsonObject): UpstreamResource {
  assertShallow(result);
  const { contents, _meta } = result;
  if (!Array.isArray(contents)) throw malformedAnswer('its contents cannot be read');
  return {
    contents: contents.map((content) => {
      const readable = resourceContent(content);
      if (readable === undefined) throw malformedAnswer('its contents cannot be read');
      return readable;
    }),
    ...(isObject(_meta) ? { meta: _meta } : {}),
  };
}

export function promptAnswer(result: JsonObject): UpstreamPrompt {
  assertShallow(result);
  const { messages, description, _meta } = result;
  if (!Array.isArray(messages)) throw malformedAnswer('it has no messages');
  return {
    messages: messages.map((message) => {
      if (!isObject(message) || (message['role'] !== 'user' && message['role'] !== 'assistant'))
        throw malformedAnswer('a message has no role');
      return { role: message['role'], content: blockOf(message['content'] ?? null) };
    }),
    ...(typeof description === 'string' ? { description } : {}),
    ...(isObject(_meta) ? { meta: _meta } : {}),
  };
}

export function completionAnswer(result: JsonObject): Completion {
  const { completion } = result;
  if (!isObject(completion) || !Array.isArray(completion['values']))
    throw malformedAnswer('it has no values');
  const { values, total, hasMore } = completion;
  const texts = values.filter((value) => typeof value === 'string');
  return {
    values: texts.slice(0, MAX_COMPLETIONS),
    ...(Number.isSafeInteger(total) ? { total: total as number } : {}),
    ...(hasMore === true || texts.length > MAX_COMPLETIONS ? { hasMore: true } : {}),
  };
}

const QUESTIONS: ReadonlySet<Json> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

function isQuestion(value: Json | undefined): value is JsonObject & InputRequest {
  return (
    isObject(value) &&
    QUESTIONS.has(value['method'] ?? null) &&
    (value['params'] === undefined || isObject(value['params']))
  );
}

/** What is deeper could be written to no client, which would wait for its answer. */
function assertShallow(result: JsonObject): void {
  if (!isShallow(result)) throw malformedAnswer(`it is nested more than ${MAX_LEVELS} levels deep`);
}
