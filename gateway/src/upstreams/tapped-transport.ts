import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

export interface TapHooks {
  /** Sees every message first; true keeps it from the SDK's client. */
  take(message: JSONRPCMessage): boolean;
  closed(): void;
}

/**
 * The transport that the SDK's client gets: the real one, with our own requests and notifications taken out on the
 * way, so that they pass no schemas and no queues.
 */
export function tapTransport(inner: Transport, isStdio: boolean, hooks: TapHooks): Transport {
  const tapped: Transport = {
    async start() {
      inner.onmessage = (message, extra) => {
        try {
          if (!hooks.take(message)) tapped.onmessage?.(message, extra);
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
    send: (message, options) => inner.send(message, options),
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
