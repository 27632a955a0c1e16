import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/client';
import type { Json, JsonObject } from '../../operations/index.ts';
import type { OpenedTransport } from '../transports/transport.ts';
import { askedId } from './asked-id.ts';

export interface TapHooks {
  /** Sees every message first; true keeps it from the SDK's client. */
  take(message: JSONRPCMessage): boolean;
  /** An answer that neither was taken nor belongs to a request of the SDK's client. */
  unasked(message: JSONRPCMessage): void;
  /** The server asks more than can be answered. */
  flooded(): void;
  closed(): void;
  readonly conceal?: OpenedTransport['conceal'];
}

/** Questions of one server that wait for their answers, or whose answers are on the way: each may be a request of ours. */
export const MOST_QUESTIONS = 256;

/**
 * The transport that the SDK's client gets: the real one, with our own requests and notifications taken out on the
 * way, so that they pass no schemas and no queues.
 */
export function tapTransport(inner: Transport, isStdio: boolean, hooks: TapHooks): Transport {
  const questions = new Set<unknown>();
  /** Requests of the SDK's client that are open. */
  const asked = new Set<unknown>();
  const isAnswer = (id: RequestId | undefined) => asked.delete(id) || asked.delete(askedId(id));
  /** False for a question that goes no further. */
  const admitted = (message: JSONRPCMessage): boolean => {
    if (!('method' in message)) return true;
    if (message.method === 'notifications/cancelled') questions.delete(message.params?.['requestId']);
    if (!('id' in message)) return true;
    if (questions.has(message.id)) return false;
    if (questions.size >= MOST_QUESTIONS) {
      hooks.flooded();
      return false;
    }
    questions.add(message.id);
    return true;
  };
  const tapped: Transport = {
    async start() {
      inner.onmessage = (said, extra) => {
        try {
          const message = hooks.conceal === undefined ? said : withoutSecrets(said, hooks.conceal);
          if (hooks.take(message)) return;
          if (!('method' in message) && !isAnswer(message.id)) hooks.unasked(message);
          if (admitted(message)) tapped.onmessage?.(message, extra);
        } catch (error) {
          // a message that cannot be dealt with must not end the stream that it came on
          tapped.onerror?.(error instanceof Error ? error : new Error(String(error)));
        }
      };
      inner.onerror = (error) => tapped.onerror?.(error);
      inner.onclose = () => {
        hooks.closed();
        tapped.onclose?.();
      };
      await inner.start();
    },
    async send(message, options) {
      if ('method' in message && 'id' in message) asked.add(message.id);
      try {
        await inner.send(message, options);
      } finally {
        if (!('method' in message)) questions.delete(message.id);
      }
    },
    close: () => inner.close(),
    get sessionId() {
      return inner.sessionId;
    },
    // a server that speaks only the older HTTP+SSE is found out on the way
    get hasPerRequestStream() {
      return inner.hasPerRequestStream === true;
    },
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    setSupportedProtocolVersions: (versions) => inner.setSupportedProtocolVersions?.(versions),
  };
  // by these members the SDK knows that a probe without an answer means an older server, not a broken line
  return isStdio ? Object.assign(tapped, { stderr: null, pid: null }) : tapped;
}

/** What the message says, not what it is of: an answer to a question goes back under the server's own id. */
function withoutSecrets(
  message: JSONRPCMessage,
  conceal: NonNullable<OpenedTransport['conceal']>,
): JSONRPCMessage {
  const said: Readonly<Record<string, Json | undefined>> = message as unknown as JsonObject;
  let clean: JsonObject | undefined;
  for (const member of SAID) {
    const value = said[member];
    const shown = value === undefined ? undefined : conceal(value);
    if (shown !== undefined && shown !== value) clean = { ...clean, [member]: shown };
  }
  return clean === undefined ? message : { ...message, ...clean };
}

const SAID = ['params', 'result', 'error'] as const;
