import {
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  parseJSONRPCMessage,
  RELATED_TASK_META_KEY,
} from '@modelcontextprotocol/server';
import { isObject } from '../../operations/index.ts';

/**
 * The JSON-RPC message of a line; undefined when the line is no JSON. Throws when the JSON is no message.
 * Ordinary requests and notifications are recognised here, everything else goes through the SDK's schema.
 */
export function readMessage(line: string): JSONRPCMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return isOrdinary(value) ? value : parseJSONRPCMessage(value);
}

/** What the schema would pass on as it is: no member that it checks further or leaves out. */
export function isOrdinary(value: unknown): value is JSONRPCRequest | JSONRPCNotification {
  if (!isObject(value) || value['jsonrpc'] !== '2.0' || typeof value['method'] !== 'string') return false;
  for (const member in value) {
    if (member === 'jsonrpc' || member === 'method') continue;
    if (member === 'id' ? !isId(value[member]) : member !== 'params' || !isOrdinaryParams(value[member]))
      return false;
  }
  return true;
}

function isOrdinaryParams(params: unknown): boolean {
  if (!isObject(params)) return false;
  for (const member in params) {
    if (member === '__proto__') return false;
    if (member === '_meta' && !isOrdinaryMeta(params[member])) return false;
  }
  return true;
}

function isOrdinaryMeta(meta: unknown): boolean {
  if (!isObject(meta)) return false;
  for (const member in meta) {
    if (member === '__proto__' || member === RELATED_TASK_META_KEY) return false;
    if (member === 'progressToken' && !isId(meta[member])) return false;
  }
  return true;
}

/** Request ids and progress tokens alike. */
function isId(value: unknown): boolean {
  return typeof value === 'string' || Number.isSafeInteger(value);
}
