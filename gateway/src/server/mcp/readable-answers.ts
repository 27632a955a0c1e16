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
 * A field that was left empty has no value: clients on the SDK of Python write null for it. A root that is no file is none
 * (MCP, roots: its address must begin with `file://`).
 */
function readableAnswer(answer: JsonObject): JsonObject {
  const { action, content, roots } = answer;
  if (action === 'accept' && isObject(content) && Object.values(content).includes(null)) {
    const filled = Object.entries(content).filter(([, value]) => value !== null);
    return { ...answer, content: Object.fromEntries(filled) };
  }
  if (Array.isArray(roots) && !roots.every(isFileRoot)) return { ...answer, roots: roots.filter(isFileRoot) };
  return answer;
}

function isFileRoot(root: Json): boolean {
  return isObject(root) && typeof root['uri'] === 'string' && root['uri'].startsWith('file://');
}
