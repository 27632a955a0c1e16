import { setTimeout as wait } from 'node:timers/promises';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

interface GatewayFetchOptions {
  /** Longest time that one request waits for a gateway that is restarting, milliseconds. */
  readonly patienceMs: number;
  /** Waits between attempts: the first, doubling to the last. */
  readonly baseDelayMs?: number;
  readonly maxDelayMs?: number;
}

/** Nothing was sent: whatever the request is, it may go again. */
const NOT_SENT: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
]);

/**
 * `fetch` towards the one gateway: no redirect takes the key elsewhere, and a request that did not leave waits
 * for the gateway to come back. One that may have arrived goes again only if it reads.
 */
export function gatewayFetch({
  patienceMs,
  baseDelayMs = 100,
  maxDelayMs = 2000,
}: GatewayFetchOptions): Fetch {
  return async (url, init = {}) => {
    const until = Date.now() + patienceMs;
    for (let delay = baseDelayMs; ; delay = Math.min(2 * delay, maxDelayMs)) {
      try {
        return await fetch(url, { ...init, redirect: 'error' });
      } catch (error) {
        const again = wasNotSent(error) || (isNetworkFault(error) && onlyReads(init));
        if (init.signal?.aborted || !again || Date.now() + delay > until) throw error;
        await wait(delay, undefined, init.signal ? { signal: init.signal } : {});
      }
    }
  };
}

export function wasNotSent(error: unknown): boolean {
  return NOT_SENT.has(codeOf(error));
}

function isNetworkFault(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === 'string' && /^(?:ECONN|EPIPE|UND_ERR_SOCKET)/.test(code);
}

/** Node's fetch hides the reason in `cause`; several addresses tried make an AggregateError there. */
function codeOf(error: unknown): unknown {
  const { cause } = error as { cause?: { code?: unknown; errors?: readonly { code?: unknown }[] } };
  return cause?.code ?? cause?.errors?.[0]?.code;
}

function onlyReads({ method = 'GET', headers }: RequestInit): boolean {
  if (method === 'GET') return true;
  const called = new Headers(headers).get('mcp-method');
  return called !== null && called !== 'tools/call';
}
