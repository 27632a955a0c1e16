import type { RequestId } from '@modelcontextprotocol/server';

/** The answer to a request that the SDK does not see: a JSON-RPC error; without an id for calls in a batch. */
export interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: RequestId | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}
