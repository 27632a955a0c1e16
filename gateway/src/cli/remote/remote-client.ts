import { setTimeout as wait } from 'node:timers/promises';
import {
  Client,
  type McpSubscription,
  type RequestOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Egress } from '../../egress/index.ts';
import { VERSION } from '../../version.ts';
import { gatewayFetch } from './gateway-fetch.ts';
import type { RemoteAddress } from './remote-address.ts';
import type { RemoteKey } from './remote-key.ts';

/** A call may take as long as the gateway lets it; its own deadline ends it. */
const REQUEST_TIMEOUT_MS = 24 * 60 * 60_000;
const PATIENCE_MS = 30_000;
const RELISTEN = { baseDelayMs: 250, maxDelayMs: 10_000 };

export type Notice = 'tools' | 'resources' | 'prompts';
const NOTICES: readonly Notice[] = ['tools', 'resources', 'prompts'];

/** The MCP side of a team's gateway, seen by one key. */
export interface RemoteClient {
  readonly client: Client;
  /** Sends one request as it is; an `input_required` answer comes back as an answer. */
  request(
    method: string,
    params: Record<string, unknown>,
    options: Pick<RequestOptions, 'signal' | 'onprogress'>,
  ): Promise<Record<string, unknown>>;
  /** Told of list changes, and of every list after the gateway was away. Ends by the returned function. */
  onNotice(listener: (notice: Notice) => void): () => void;
  close(): Promise<void>;
}

/** Connects to the gateway's MCP endpoint, in the newest revision that both know. */
export async function connectRemote(
  { mcp }: RemoteAddress,
  { value }: RemoteKey,
  egress: Egress,
  signal: AbortSignal,
): Promise<RemoteClient> {
  const listeners = new Set<(notice: Notice) => void>();
  const tell = (notice: Notice) => {
    for (const listener of [...listeners]) listener(notice);
  };
  const client = new Client(
    { name: 'toolcrib-remote', version: VERSION },
    { versionNegotiation: { mode: 'auto' }, inputRequired: { autoFulfill: false } },
  );
  client.setNotificationHandler('notifications/tools/list_changed', () => tell('tools'));
  client.setNotificationHandler('notifications/resources/list_changed', () => tell('resources'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => tell('prompts'));
  const headers = value === undefined ? {} : { authorization: `Bearer ${value}` };
  const transport = new StreamableHTTPClientTransport(new URL(mcp), {
    fetch: gatewayFetch({ egress, patienceMs: PATIENCE_MS }),
    requestInit: { headers, redirect: 'error' },
  });
  await client.connect(transport, { signal });
  answersAfterNotices(transport);
  const closing = new AbortController();
  const listening =
    client.getProtocolEra() === 'modern' ? keepListening(client, tell, closing.signal) : Promise.resolve();
  return {
    client,
    request: async (method, params, options) =>
      (await client.request({ method, params } as never, {
        ...options,
        timeout: REQUEST_TIMEOUT_MS,
        allowInputRequired: true,
      })) as Record<string, unknown>,
    onNotice(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closing.abort();
      await listening;
      await client.close();
    },
  };
}

/**
 * The SDK takes in a notice one turn after it came, and an answer at once: progress that came in one piece with
 * its answer would be lost.
 */
function answersAfterNotices(transport: StreamableHTTPClientTransport): void {
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    if ('method' in message) onmessage?.(message);
    else setImmediate(() => onmessage?.(message));
  };
}

/**
 * Keeps one subscription open. When the gateway was away its lists may have changed unseen, so that each of
 * them counts as changed once it is back.
 */
async function keepListening(
  client: Client,
  tell: (notice: Notice) => void,
  signal: AbortSignal,
): Promise<void> {
  let delay = RELISTEN.baseDelayMs;
  for (let away = false; !signal.aborted; away = true) {
    const subscription = await listen(client, signal);
    if (subscription !== undefined) {
      delay = RELISTEN.baseDelayMs;
      if (away) for (const notice of NOTICES) tell(notice);
      const stop = () => void subscription.close();
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      await subscription.closed;
      signal.removeEventListener('abort', stop);
    }
    await wait(delay, undefined, { signal, ref: false }).catch(() => undefined);
    delay = Math.min(2 * delay, RELISTEN.maxDelayMs);
  }
}

async function listen(client: Client, signal: AbortSignal): Promise<McpSubscription | undefined> {
  try {
    return await client.listen(
      { toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true },
      { signal },
    );
  } catch {
    return undefined;
  }
}
