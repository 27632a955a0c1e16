import {
  type Answer,
  type LoopbackService,
  type ReceivedRequest,
  startLoopbackService,
} from './loopback-service.ts';

export interface JinaPage {
  readonly title: string;
  readonly content: string;
  readonly description?: string;
  readonly publishedTime?: string;
  readonly warning?: string;
}

export interface JinaDouble extends LoopbackService {
  readonly key: string;
  /** What is at an address. Others are 422. */
  readonly pages: Map<string, JinaPage>;
  /** Hosts that are refused with 451. */
  readonly blocked: Set<string>;
  /** The account has no balance: 402 for calls with a key. */
  broke: boolean;
}

/** Jina Reader and its search (`q`) on the loopback; both answer POST with JSON. */
export async function startJina({ key = 'jina_double_key_91ab' } = {}): Promise<JinaDouble> {
  const pages = new Map<string, JinaPage>();
  const blocked = new Set<string>();
  const state = { broke: false };

  const handle = ({ headers, body }: ReceivedRequest): Answer => {
    const { authorization } = headers;
    if (authorization !== undefined && authorization !== `Bearer ${key}`) {
      return failure(401, 'AuthenticationFailedError', `Invalid API key: ${authorization}`);
    }
    if (authorization !== undefined && state.broke) {
      return failure(402, 'InsufficientBalanceError', 'Account balance not enough to run this query');
    }
    const { url, q } = JSON.parse(body.toString()) as { url?: string; q?: string };
    if (q !== undefined) return search(q, authorization);
    if (url === undefined || URL.parse(url) === null)
      return failure(400, 'ParamValidationError', 'Invalid URL');
    if (blocked.has(new URL(url).hostname)) {
      return failure(451, 'SecurityCompromiseError', `Domain ${new URL(url).hostname} blocked`);
    }
    const page = pages.get(url);
    if (page === undefined) return failure(422, 'AssertionFailureError', `Failed to goto ${url}`);
    return success({ url, ...page, usage: { tokens: page.content.length } });
  };
  const search = (q: string, authorization: string | undefined): Answer => {
    if (authorization === undefined)
      return failure(401, 'AuthenticationRequiredError', 'Authentication is required');
    const found = [...pages].filter(([, { title, content }]) => `${title} ${content}`.includes(q));
    return success(
      found
        .slice(0, 5)
        .map(([url, { title, description, content }]) => ({ url, title, description, content })),
    );
  };

  const service = await startLoopbackService('', handle);
  return Object.assign(state, service, { key, pages, blocked });
}

function success(data: unknown): Answer {
  return { status: 200, body: { code: 200, status: 20000, data, meta: {} } };
}

function failure(status: number, name: string, message: string): Answer {
  return {
    status,
    body: {
      data: null,
      code: status,
      name,
      status: status * 100,
      message,
      readableMessage: `${name}: ${message}`,
    },
  };
}
