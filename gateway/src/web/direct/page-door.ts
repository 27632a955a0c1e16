import type { Egress, EgressResponse } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import { send } from '../ask.ts';
import type { TimeLeft } from '../time-left.ts';

export interface PageLimits {
  /** Whole fetch with redirects, milliseconds. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly maxRedirects: number;
}

export interface FetchPage {
  readonly egress: Egress;
  readonly limits: PageLimits;
  readonly userAgent: string;
  readonly accept: string;
  /** Looks at the first address and at the target of every redirect. Throws what must not be fetched. */
  readonly check: (url: URL) => Promise<void> | void;
  /** Reads a redirect's target. Throws for one that must not be followed. */
  readonly target: (text: string) => URL;
}

/**
 * One page with its redirects followed by hand, so that every hop passes the same rules as the first address. Nothing
 * but fixed headers is sent. Throws ToolcribError.
 */
export async function fetchPage(start: URL, fetch: FetchPage, time: TimeLeft): Promise<EgressResponse> {
  const { egress, limits, check, target } = fetch;
  const ends = Math.min(Date.now() + limits.timeoutMs, time.deadline);
  const within: TimeLeft = { ...time, deadline: ends, left: () => Math.max(1, ends - Date.now()) };
  let url = start;
  for (let redirects = 0; ; redirects++) {
    await check(url);
    const response = await send(egress, questionFor(url, fetch), within);
    const next = redirectOf(response, url);
    if (next === undefined) return response;
    if (redirects >= limits.maxRedirects) {
      throw new ToolcribError(
        'upstream_failed',
        `${url.host} redirects once more after ${limits.maxRedirects} redirects.`,
        { status: response.status, details: { kind: 'redirect' } },
      );
    }
    url = target(next);
  }
}

function questionFor(url: URL, { limits, userAgent, accept }: FetchPage) {
  return {
    provider: 'direct',
    request: {
      method: 'GET',
      url: url.href,
      headers: [
        ['Accept', accept],
        ['Accept-Language', 'en, *;q=0.5'],
        ['User-Agent', userAgent],
      ] as const,
      redirect: 'manual' as const,
    },
    maxBytes: limits.maxBytes,
  };
}

/** RFC 9110 §15.4; `Location` may be UTF-8 bytes read as Latin-1. */
function redirectOf({ status, headers }: EgressResponse, from: URL): string | undefined {
  const location = headers['location'];
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const bytes = Buffer.from(location, 'latin1').toString('utf8');
  const text = bytes.includes('\ufffd') ? location : bytes;
  return URL.parse(text, from.href)?.href ?? text;
}
