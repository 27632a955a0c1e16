import { isUtf8 } from 'node:buffer';
import type { JSONRPCErrorResponse, JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { isObject, readJson } from '../../operations/index.ts';
import { ENVELOPE } from '../envelope-keys.ts';

/**
 * Statuses beside 400, which the SDK reads: an unknown method has to be answered with 404 (MCP 2026-07-28, "Protocol
 * Version Header"), and a fault of the server's own often is with 500.
 */
const ANSWERED: ReadonlySet<unknown> = new Set([404, 500]);

/** The answer of a server of 2026-07-28 to this request, where it came with such a status; undefined for every other error. */
export function refusedAnswer(error: unknown, request: JSONRPCMessage): JSONRPCErrorResponse | undefined {
  const data = (error as { readonly data?: unknown } | undefined)?.data;
  if (!isObject(data) || !ANSWERED.has(data['status']) || typeof data['text'] !== 'string') return undefined;
  if (!('method' in request) || !('id' in request)) return undefined;
  // no request of an older revision carries it
  if (request.params?._meta?.[ENVELOPE.version] === undefined) return undefined;
  const answer = readJson(data['text']);
  if (!isObject(answer) || answer['id'] !== request.id || !isObject(answer['error'])) return undefined;
  const { code, message } = answer['error'];
  if (typeof code !== 'number' || typeof message !== 'string') return undefined;
  return { jsonrpc: '2.0', id: request.id, error: { ...answer['error'], code, message } };
}

/**
 * What a server answered to a request in one piece. An error may name no request (JSON-RPC 2.0 has null there where the
 * request could not be read); it is then of the only one that there is.
 */
export function named(answer: unknown, request: RequestId): unknown {
  if (!isObject(answer) || (answer['id'] ?? null) !== null || !isObject(answer['error'])) return answer;
  return { ...answer, id: request };
}

/** Bytes of a piece that is looked at: what refuses a request is short, and comes in one. */
const MAX_REFUSAL = 8192;
const EVENT = /^data: ?(\{.*\})(?=\r?$)/gm;

/** The same in the events that answer one request. */
export function namedEvents(request: RequestId): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const isLooked = piece.length <= MAX_REFUSAL && piece.includes('"error"') && isUtf8(piece);
      controller.enqueue(isLooked ? Buffer.from(withNames(piece.toString(), request)) : chunk);
    },
  });
}

function withNames(events: string, request: RequestId): string {
  return events.replace(EVENT, (line, data: string) => {
    const answer = readJson(data);
    const known = named(answer, request);
    return known === answer ? line : `data: ${JSON.stringify(known)}`;
  });
}

/**
 * Whether a server answered, and nothing that is of MCP: to the probe of a newer revision a sign of an older one (MCP
 * 2026-07-28, versioning: "Anything else identifies a legacy server"). Of 4xx the SDK knows that.
 */
export function isUnusable(error: unknown): boolean {
  const data = (error as { readonly data?: unknown } | undefined)?.data;
  const status = isObject(data) ? data['status'] : undefined;
  if (status !== undefined) return Number(status) >= 500;
  const isUnread = error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError');
  return isUnread || (isObject(data) && 'contentType' in data);
}
