import { isObject, type Json, type JsonObject } from '../../operations/index.ts';

/**
 * A message in which the answer to a question can be read: the SDK refuses it as a whole for one part, and whoever asked
 * would hear that the person cancelled. Every other message as it is.
 */
export function readableMessage(message: unknown): unknown {
  if (!isObject(message) || 'method' in message || !isObject(message['result'])) return message;
  const result = readableAnswer(message['result']);
  return result === message['result'] ? message : { ...message, result };
}

/** The same of the answers that come with a request since 2026-07-28. */
export function readableAnswers(answers: JsonObject): JsonObject {
  const entries = Object.entries(answers);
  return Object.fromEntries(
    entries.map(([key, answer]) => [key, isObject(answer) ? readableAnswer(answer) : answer]),
  );
}

/**
 * What was left empty has no value: clients on the SDK of Python write null for it, in a field of a form as in a member of
 * a sampled message. A root that is no file is none (MCP, roots: its address must begin with `file://`).
 */
function readableAnswer(given: JsonObject): JsonObject {
  const answer = filled(given);
  const { action, content, model, roots } = answer;
  if (Array.isArray(roots) && !roots.every(isFileRoot)) return { ...answer, roots: roots.filter(isFileRoot) };
  if (content === undefined || (action !== 'accept' && typeof model !== 'string')) return answer;
  const full =
    typeof model === 'string' && Array.isArray(content) ? filledParts(content) : filledPart(content);
  return full === content ? answer : { ...answer, content: full };
}

function filledParts(parts: Json[]): Json[] {
  const full = parts.map(filledPart);
  return full.every((part, at) => part === parts[at]) ? parts : full;
}

function filledPart(part: Json): Json {
  return isObject(part) ? filled(part) : part;
}

function filled(members: JsonObject): JsonObject {
  if (!Object.values(members).includes(null)) return members;
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function isFileRoot(root: Json): boolean {
  return isObject(root) && typeof root['uri'] === 'string' && root['uri'].startsWith('file://');
}
