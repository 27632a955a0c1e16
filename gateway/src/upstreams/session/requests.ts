import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { isToolcribError } from '../../errors.ts';
import { isObject, type JsonObject } from '../../operations/index.ts';
import { messageOf } from '../../operations/text/message-of.ts';
import { isUnsent } from '../transports/unsent.ts';
import { askedId } from './asked-id.ts';
import type { CallsInFlight, OpenCall } from './calls-in-flight.ts';
import { abortedCall, lateCall, SessionError, serverError } from './session-error.ts';

/** What one request may take and whom it serves. */
export interface RequestTerms {
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Absent: a request of our own, which serves no caller. */
  readonly call?: OpenCall;
  readonly onProgress?: (params: JsonObject) => void;
  /** Progress may come after the answer as well; given, with the answer, what ends listening for it. */
  readonly onAnswered?: (stopListening: () => void) => void;
  /** HTTP headers of this request. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface PendingRequest {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((params: JsonObject) => void) | undefined;
}

/** Our own requests on a transport, beside those of the SDK's client, without its schemas on the way. */
export interface Requests {
  /** Sends one; throws SessionError or ServerError. The result is the server's own object. */
  send(method: string, params: JsonObject, terms: RequestTerms): Promise<JsonObject>;
  /** Takes an answer or progress of ours; false where it belongs to the SDK's client. */
  take(message: JSONRPCMessage): boolean;
  /** Ends whatever is open. */
  failAll(error: () => SessionError): void;
  /** Answers that arrived. */
  readonly answered: number;
  readonly open: number;
}

/** The SDK's client counts from 0; far above it, both can share a connection. */
const FIRST_ID = 1_000_000_000;
/** A server closes the stream of a request behind its answer; one that does not is left after this, milliseconds. */
const LINGER_MS = 1000;

/**
 * @param envelope `_meta` of a notification where the server speaks 2026-07-28
 * @param late told results that come when nobody waits for them any more
 */
export function createRequests(
  transport: Transport,
  calls: CallsInFlight,
  envelope: () => JsonObject | undefined,
  late: (result: JsonObject) => void,
): Requests {
  const pending = new Map<number, PendingRequest>();
  /** Of requests that were answered, by their token. */
  const listening = new Map<number, (params: JsonObject) => void>();
  let nextId = FIRST_ID;
  let answered = 0;

  const cancel = (id: number, stream: AbortController | undefined, reason: string) => {
    const meta = envelope();
    if (stream !== undefined && meta !== undefined) return stream.abort();
    const params = { requestId: id, reason, ...(meta === undefined ? {} : { _meta: meta }) };
    transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => undefined);
  };

  const send: Requests['send'] = (method, params, terms) => {
    const { signal, deadline, call, onProgress, onAnswered, headers } = terms;
    return new Promise<JsonObject>((resolve, reject) => {
      if (signal?.aborted) return reject(new SessionError('unsent', 'The call ended before it was sent.'));
      const id = nextId++;
      const stream = transport.hasPerRequestStream === true ? new AbortController() : undefined;
      let timer: NodeJS.Timeout | undefined;
      let linger: NodeJS.Timeout | undefined;
      const settle = () => {
        pending.delete(id);
        clearTimeout(timer);
        if (stream !== undefined) linger = setTimeout(() => stream.abort(), LINGER_MS).unref();
        signal?.removeEventListener('abort', onAbort);
        if (call !== undefined) calls.end(call);
      };
      const fail = (error: Error) => {
        if (!pending.has(id)) return;
        settle();
        reject(error);
      };
      const stop = (error: SessionError) => {
        if (!pending.has(id)) return;
        cancel(id, stream, error.message);
        fail(error);
        if (call !== undefined) calls.leave(call, id);
      };
      const onAbort = () => signal && stop(abortedCall(signal));
      pending.set(id, {
        resolve: (result) => {
          settle();
          if (onProgress !== undefined && onAnswered !== undefined) {
            listening.set(id, onProgress);
            onAnswered(() => listening.delete(id));
          }
          resolve(result);
        },
        reject: fail,
        onProgress,
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      timer = setTimeout(() => stop(lateCall()), Math.min(Math.max(deadline - Date.now(), 0), 0x7fffffff));
      if (call !== undefined) calls.begin(call);
      const message = {
        jsonrpc: '2.0' as const,
        id,
        method,
        params: onProgress === undefined ? params : withProgressToken(params, id),
      };
      const options: SendOptions = {};
      if (headers !== undefined) options.headers = { ...headers };
      if (stream !== undefined) {
        options.requestSignal = stream.signal;
        options.onRequestStreamEnd = () => {
          clearTimeout(linger);
          if (pending.has(id)) fail(new SessionError('lost', 'The answer broke off.'));
        };
      }
      const write = () => void transport.send(message, options).catch((error) => fail(sendError(error)));
      if (call === undefined) calls.outside(write);
      else calls.within(call, write);
    });
  };

  return {
    send,
    take(message) {
      if ('method' in message) {
        if (message.method !== 'notifications/progress' || !isObject(message.params)) return false;
        const token = Number(message.params['progressToken']);
        const request = pending.get(token);
        (request?.onProgress ?? listening.get(token))?.(message.params);
        return request !== undefined || token >= FIRST_ID;
      }
      const id = askedId(message.id);
      if (!(id >= FIRST_ID)) return false;
      const request = pending.get(id);
      // answers after a cancellation are late, not wrong
      if (request === undefined) {
        calls.answered(id);
        if ('result' in message && isObject(message.result)) late(message.result as JsonObject);
        return true;
      }
      answered += 1;
      if ('error' in message) request.reject(serverError(message.error));
      else if (isObject(message.result)) request.resolve(message.result as JsonObject);
      else request.reject(new SessionError('malformed', 'The answer is no object.'));
      return true;
    },
    failAll(error) {
      for (const request of [...pending.values()]) request.reject(error());
    },
    get answered() {
      return answered;
    },
    get open() {
      return pending.size;
    },
  };
}

type SendOptions = { -readonly [K in keyof TransportSendOptions]: TransportSendOptions[K] };

function withProgressToken(params: JsonObject, token: number): JsonObject {
  const meta = params['_meta'];
  return { ...params, _meta: { ...(isObject(meta) ? meta : {}), progressToken: token } };
}

/** HTTP: an answer of 404 to a request with a session id means that the session is gone (MCP transports, session management). */
function sendError(error: unknown): Error {
  // no token could be had, which tells nothing of the server
  if (isToolcribError(error)) return error;
  if (isUnsent(error)) return new SessionError('unsent', messageOf(error), error);
  return error instanceof Error ? error : new SessionError('lost', messageOf(error), error);
}
