import { isSpecType, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isObject } from '../../operations/index.ts';
import { invalidInitialize } from './invalid-params.ts';
import type { Refusal } from './refusal.ts';
import { isRequestId } from './request-id.ts';

/**
 * The answer to an `initialize` that lacks something, as a hand-written client's may: the SDK says that its server is not
 * initialised. Undefined for every other message.
 */
export function refusedInitialize(message: unknown): Refusal | undefined {
  if (!isObject(message) || message['method'] !== 'initialize') return undefined;
  const { id } = message;
  if (!isRequestId(id)) return undefined;
  if (!isSpecType.JSONRPCRequest(message) || isSpecType.InitializeRequest(message)) return undefined;
  const problem = invalidInitialize({ ...message, method: 'initialize' });
  return { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InvalidParams, message: problem } };
}
