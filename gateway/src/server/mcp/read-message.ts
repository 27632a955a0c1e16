import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  RELATED_TASK_META_KEY,
  type RequestId,
} from '@modelcontextprotocol/server';
import { isObject, readJson } from '../../operations/index.ts';

const BYTE_ORDER_MARK = 0xfeff;

/** What stands in a line; undefined when that is no JSON. Windows PowerShell begins what it pipes with a byte order mark. */
export function readLine(line: string): unknown {
  return readJson(line.charCodeAt(0) === BYTE_ORDER_MARK ? line.slice(1) : line);
}

/**
 * The JSON-RPC message that a value is; throws when it is none. Ordinary requests and notifications are recognised
 * here, everything else goes through the SDK's schema.
 */
export function readMessage(value: unknown): JSONRPCMessage {
  return isOrdinary(value) ? value : parseJSONRPCMessage(value);
}

/**
 * The answer to what was meant as a request and is none, so that nobody waits for it; undefined for answers, and where no
 * id can be read.
 */
export function refusedRequest(value: unknown): JSONRPCErrorResponse | undefined {
  if (!isObject(value) || 'result' in value || 'error' in value) return undefined;
  const { id } = value;
  // a longer number would come back as another one
  if (typeof id !== 'string' && !(Math.abs(Number(id)) <= Number.MAX_SAFE_INTEGER && typeof id === 'number'))
    return undefined;
  const message = 'Invalid Request: the line is not a valid JSON-RPC message.';
  return {
    jsonrpc: '2.0',
    id: id as RequestId,
    error: { code: ProtocolErrorCode.InvalidRequest, message },
  };
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
