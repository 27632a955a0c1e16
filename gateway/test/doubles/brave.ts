import {
  type Answer,
  type LoopbackService,
  type ReceivedRequest,
  startLoopbackService,
} from './loopback-service.ts';

export interface BravePage {
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly page_age?: string;
  readonly age?: string;
}

export interface BraveDouble extends LoopbackService {
  readonly key: string;
  /** What is found, in this order, whatever is asked for. */
  readonly pages: BravePage[];
  /** Requests a window of `windowMs`; further ones get 429. Default: as many as one likes. */
  limit(requests: number, windowMs: number): void;
}

const MAX_CHARACTERS = 400;
const MAX_WORDS = 50;
const PAGE = 20;
const MONTH_SECONDS = 2_592_000;

/** The Brave Search API's web search on the loopback: limits, pages, errors and rate headers as documented. */
export async function startBrave({ key = 'brave-double-key-5f2c' } = {}): Promise<BraveDouble> {
  const pages: BravePage[] = [];
  let requests = 1000;
  let windowMs = 1000;
  let windowStart = 0;
  let used = 0;

  const rate = (): { allowed: boolean; headers: Record<string, string> } => {
    const now = Date.now();
    if (now - windowStart >= windowMs) {
      windowStart = now;
      used = 0;
    }
    const allowed = used < requests;
    if (allowed) used++;
    const seconds = Math.max(1, Math.ceil(windowMs / 1000));
    const reset = Math.max(1, Math.ceil((windowStart + windowMs - now) / 1000));
    return {
      allowed,
      headers: {
        'X-RateLimit-Limit': `${requests}, 15000`,
        'X-RateLimit-Policy': `${requests};w=${seconds}, 15000;w=${MONTH_SECONDS}`,
        'X-RateLimit-Remaining': `${requests - used}, 14523`,
        'X-RateLimit-Reset': `${reset}, 1419704`,
      },
    };
  };

  const handle = (request: ReceivedRequest): Answer => {
    if (request.path !== '/res/v1/web/search') return failure(404, 'NOT_FOUND', 'No such route.');
    const token = request.headers['x-subscription-token'];
    if (token !== key) {
      return failure(
        422,
        'SUBSCRIPTION_TOKEN_INVALID',
        `The provided subscription token is invalid: ${token}`,
      );
    }
    const { allowed, headers } = rate();
    if (!allowed)
      return { ...failure(429, 'RATE_LIMITED', 'Request rate limit exceeded for plan.'), headers };
    const asked = new Map(request.query);
    const problem = problemOf(asked);
    if (problem !== undefined) return { ...failure(422, 'VALIDATION', problem), headers };
    const count = Number(asked.get('count') ?? PAGE);
    const offset = Number(asked.get('offset') ?? 0);
    const shown = pages.slice(offset * count, (offset + 1) * count);
    return {
      status: 200,
      headers,
      body: {
        type: 'search',
        query: {
          original: asked.get('q'),
          more_results_available: pages.length > (offset + 1) * count,
          is_navigational: false,
        },
        ...(shown.length === 0 ? {} : { web: { type: 'search', results: shown.map(resultOf) } }),
      },
    };
  };

  const service = await startLoopbackService('', handle);
  return {
    ...service,
    key,
    pages,
    limit(next, window) {
      requests = next;
      windowMs = window;
    },
  };
}

function problemOf(asked: ReadonlyMap<string, string>): string | undefined {
  const q = asked.get('q') ?? '';
  if (q.length < 1 || q.length > MAX_CHARACTERS || q.split(/\s+/).length > MAX_WORDS)
    return 'q: too short or too long';
  const count = Number(asked.get('count') ?? PAGE);
  if (!Number.isInteger(count) || count < 1 || count > PAGE) return 'count: must be between 1 and 20';
  const offset = Number(asked.get('offset') ?? 0);
  if (!Number.isInteger(offset) || offset < 0 || offset > 9) return 'offset: must be between 0 and 9';
  if (asked.get('text_decorations') !== 'false') return 'text_decorations: this double has none';
  return undefined;
}

function resultOf(page: BravePage) {
  const { hostname } = new URL(page.url);
  return {
    type: 'search_result',
    language: 'en',
    family_friendly: true,
    profile: { name: hostname, url: page.url, long_name: hostname, img: '' },
    meta_url: { scheme: 'https', netloc: hostname, hostname, favicon: '', path: '' },
    ...page,
  };
}

function failure(status: number, code: string, detail: string): Answer {
  const id = '00000000-0000-0000-0000-000000000000';
  return {
    status,
    body: {
      type: 'ErrorResponse',
      id,
      status,
      time: 1,
      error: { id, status, code, detail, meta: { component: 'authentication' } },
    },
  };
}
