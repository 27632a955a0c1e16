import { setTimeout as wait } from 'node:timers/promises';
import { type Egress, EgressFailure, NO_CONNECTION } from '../../egress/index.ts';
import { withBrokenEnd } from './broken-off.ts';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

interface GatewayFetchOptions {
  /** The door, with the gateway's address allowed. */
  readonly egress: Egress;
  /** Longest time that one request waits for a gateway that is restarting, milliseconds. */
  readonly patienceMs: number;
  /** Waits between attempts: the first, doubling to the last. */
  readonly baseDelayMs?: number;
  readonly maxDelayMs?: number;
}

/** A call may take as long as the gateway lets it, and a stream may be silent; the signal ends both. */
const LIMITS = { headersTimeoutMs: 0, idleTimeoutMs: 0 };

/**
 * `fetch` towards the one gateway: no redirect takes the key elsewhere, and a request that did not leave waits
 * for the gateway to come back. One that may have arrived goes again only if it reads.
 */
export function gatewayFetch({
  egress,
  patienceMs,
  baseDelayMs = 100,
  maxDelayMs = 2000,
}: GatewayFetchOptions): Fetch {
  return async (url, init = {}) => {
    const until = Date.now() + patienceMs;
    for (let delay = baseDelayMs; ; delay = Math.min(2 * delay, maxDelayMs)) {
      try {
        return withBrokenEnd(await egress.fetch(url, { ...init, redirect: 'error' }, LIMITS), init);
      } catch (error) {
        const again = wasNotSent(error) || (isNetworkFault(error) && onlyReads(init));
        if (init.signal?.aborted || !again || Date.now() + delay > until) throw error;
        await wait(delay, undefined, init.signal ? { signal: init.signal } : {});
      }
    }
  };
}

function wasNotSent(error: unknown): boolean {
  return error instanceof EgressFailure && error.sent === 'none' && NO_CONNECTION.has(error.kind);
}

function isNetworkFault(error: unknown): boolean {
  return error instanceof EgressFailure && (error.kind === 'reset' || error.kind === 'body_truncated');
}

function onlyReads({ method = 'GET', headers }: RequestInit): boolean {
  if (method === 'GET') return true;
  const called = new Headers(headers).get('mcp-method');
  return called !== null && called !== 'tools/call';
}
