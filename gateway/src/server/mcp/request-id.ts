import type { RequestId } from '@modelcontextprotocol/server';
import { isObject } from '../../operations/index.ts';

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}

/** The request that a `notifications/cancelled` cancels; undefined for every other message. */
export function cancelledRequest(message: object): RequestId | undefined {
  const { method, params } = message as { readonly method?: unknown; readonly params?: unknown };
  if (method !== 'notifications/cancelled' || !isObject(params)) return undefined;
  const { requestId } = params;
  return isRequestId(requestId) ? requestId : undefined;
}
