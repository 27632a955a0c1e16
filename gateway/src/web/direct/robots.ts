import { decodeText, isTimeout } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import { type TimeLeft, timeLeft } from '../time-left.ts';
import { type FetchPage, fetchPage } from './page-door.ts';
import type { PageReader } from './page-reader.ts';
import { allowedBy } from './robots-rules.ts';

/** What a site's robots.txt says: which addresses it lets robots read, or the status that took its place. */
interface Rules {
  readonly allows: (url: string, time: TimeLeft) => boolean | Promise<boolean>;
  /** Set where the file could not be read, so that nothing is allowed. */
  readonly status?: number;
  /** Characters that were kept. */
  readonly size: number;
}

interface Kept {
  readonly rules: Promise<Rules>;
  /** Milliseconds since the epoch. */
  until: number;
  size: number;
}

/** RFC 9309 §2.4 allows a day. */
const KEPT_MS = 60 * 60_000;
/** A site that could not be asked is asked again soon. */
const KEPT_AFTER_FAILURE_MS = 60_000;
/** RFC 9309 §2.5: what a parser must read at least. */
const PARSED_BYTES = 500 * 1024;
/** Characters; the rules of a larger file are judged by a worker, since many wildcards take seconds. */
const JUDGED_HERE = 16_384;
const MAX_REDIRECTS = 5;
const MAX_SITES = 500;
const MAX_KEPT_CHARACTERS = 4_000_000;

export interface Robots {
  /** Throws `robots_disallowed`, or what kept robots.txt from being read. */
  check(url: URL, time: TimeLeft): Promise<void>;
}

/** The Robots Exclusion Protocol (RFC 9309), one robots.txt a site, kept for an hour. */
export function createRobots(
  fetch: Omit<FetchPage, 'accept' | 'check'>,
  product: string,
  reader: PageReader,
): Robots {
  const sites = new Map<string, Kept>();

  const rulesOf = (origin: string): Promise<Rules> => {
    const known = sites.get(origin);
    if (known !== undefined && known.until > Date.now()) return known.rules;
    const rules = ask(origin, fetch, product, reader);
    const kept: Kept = { rules, until: Date.now() + KEPT_MS, size: 0 };
    sites.delete(origin);
    sites.set(origin, kept);
    rules.then(
      ({ status, size }) => {
        kept.size = size;
        if (status !== undefined) kept.until = Date.now() + KEPT_AFTER_FAILURE_MS;
        forgetOldest(sites);
      },
      () => sites.delete(origin),
    );
    return rules;
  };

  return {
    async check(url, time) {
      const { allows, status } = await whileWanted(rulesOf(url.origin), time);
      if (await allows(url.href, time)) return;
      const message =
        status === undefined
          ? `${url.origin}/robots.txt keeps robots from ${url.pathname.slice(0, 200)}.`
          : `${url.origin}/robots.txt answered ${status}, which means that robots stay away for now (RFC 9309 §2.3.1.4).`;
      throw new ToolcribError('robots_disallowed', message, { location: url.href });
    },
  };
}

/**
 * RFC 9309 §2.3.1: the rules of a file that is there; 4xx: there are none; any other status: everything is disallowed.
 * What cannot be reached at all rejects as it is: neither can the page.
 */
async function ask(
  origin: string,
  fetch: Omit<FetchPage, 'accept' | 'check'>,
  product: string,
  reader: PageReader,
): Promise<Rules> {
  const location = `${origin}/robots.txt`;
  const limits = { ...fetch.limits, maxRedirects: MAX_REDIRECTS };
  const how: FetchPage = { ...fetch, limits, accept: 'text/plain, */*;q=0.1', check: () => undefined };
  // Several callers wait for it: none of them can take it away from the others.
  const time = timeLeft({ deadline: Date.now() + limits.timeoutMs });
  const { status, headers, body } = await fetchPage(new URL(location), how, time);
  if (status >= 400 && status < 500) return { allows: () => true, size: 0 };
  if (status < 200 || status >= 300) return { allows: () => false, status, size: 0 };
  const text = decodeText(body.subarray(0, PARSED_BYTES), headers['content-type']);
  const question = (url: string) => ({ location, text, url, product });
  const allows: Rules['allows'] =
    text.length <= JUDGED_HERE
      ? (url) => allowedBy(question(url))
      : (url, { left, signal }) => reader.allows(question(url), left(), signal);
  return { allows, size: text.length };
}

function forgetOldest(sites: Map<string, Kept>): void {
  let total = [...sites.values()].reduce((sum, { size }) => sum + size, 0);
  for (const [origin, { size }] of sites) {
    if (sites.size <= MAX_SITES && total <= MAX_KEPT_CHARACTERS) return;
    sites.delete(origin);
    total -= size;
  }
}

async function whileWanted<T>(promise: Promise<T>, { signal }: TimeLeft): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const onAbort = () => {
    const late = isTimeout(signal.reason);
    const message = late
      ? 'The deadline of the call passed while robots.txt was read.'
      : 'The caller went away while robots.txt was read.';
    ended.reject(new ToolcribError(late ? 'deadline_exceeded' : 'cancelled', message));
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, ended.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
