import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolErrorCode,
  type RequestId,
} from '@modelcontextprotocol/server';
import { isObject } from '../../operations/index.ts';
import { isListen } from './followed-resources.ts';
import { lostDigits } from './lost-digits.ts';
import { protocolErrorOf } from './protocol-errors.ts';
import type { Refusal } from './refusal.ts';
import { isRequestId } from './request-id.ts';
import { extensionMissing, followsTasks } from './tasks/task-way.ts';

interface CallMessage {
  readonly id: RequestId;
  readonly params?: unknown;
}

/**
 * The answer to a call whose arguments would not arrive as they were written: a whole number lost digits while it was
 * read, or one is called `__proto__`, which the SDK's schemas leave out without a word. Undefined for every other message.
 * @param text the JSON of the message, or of a batch
 */
export function refusedCall(text: string, body: unknown): Refusal | undefined {
  const digits = lostDigits(text);
  const isRefused = digits === undefined ? hasPrototype : isCall;
  const call = Array.isArray(body) ? body.find(isRefused) : isRefused(body) ? body : undefined;
  if (call === undefined) return undefined;
  const problem = digits ?? 'An argument cannot be called "__proto__".';
  return {
    jsonrpc: '2.0',
    id: Array.isArray(body) ? null : call.id,
    error: { code: ProtocolErrorCode.InvalidParams, message: `arguments_invalid: ${problem}` },
  };
}

/**
 * The answer to who asks for notices of tasks and does not follow any (MCP extension Tasks); undefined for every other
 * message. Whoever does is granted none: the SDK's streams carry no such notices, and clients may always ask instead.
 */
export function refusedListen(message: unknown): Refusal | undefined {
  if (!isListen(message) || !isObject(message['params'])) return undefined;
  const { id } = message;
  const { notifications, _meta: meta } = message['params'];
  const asks = isObject(notifications) && notifications['taskIds'] !== undefined;
  if (!asks || !isRequestId(id)) return undefined;
  if (isObject(meta) && followsTasks(meta[CLIENT_CAPABILITIES_META_KEY])) return undefined;
  const { code, message: text, data } = protocolErrorOf(extensionMissing());
  return { jsonrpc: '2.0', id, error: { code, message: text, data } };
}

function hasPrototype(message: unknown): message is CallMessage {
  if (!isCall(message) || !isObject(message.params)) return false;
  const { arguments: given } = message.params;
  return isObject(given) && Object.hasOwn(given, '__proto__');
}

function isCall(message: unknown): message is CallMessage {
  if (!isObject(message) || message['method'] !== 'tools/call') return false;
  return typeof message['id'] === 'string' || Number.isSafeInteger(message['id']);
}
