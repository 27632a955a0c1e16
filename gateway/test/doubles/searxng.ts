import {
  type Answer,
  type LoopbackService,
  type ReceivedRequest,
  startLoopbackService,
} from './loopback-service.ts';

export interface SearxngPage {
  readonly title: string;
  readonly url: string;
  readonly content?: string;
  readonly publishedDate?: string | null;
}

export interface SearxngDouble extends LoopbackService {
  readonly pages: SearxngPage[];
  /** Engines that answer nothing, with their reasons. */
  readonly unresponsive: [engine: string, reason: string][];
  /** Whether `search.formats` holds json, which it does not by default; here it does. */
  offersJson: boolean;
}

const PAGE = 10;

/** A SearXNG instance on the loopback: `GET /search?format=json`, ten results a page. */
export async function startSearxng(): Promise<SearxngDouble> {
  const pages: SearxngPage[] = [];
  const unresponsive: [string, string][] = [];
  const state = { offersJson: true };

  const handle = ({ path, query }: ReceivedRequest): Answer => {
    const asked = new Map(query);
    if (path !== '/search') return { status: 404, body: 'Not Found' };
    if (asked.get('format') === 'json' && !state.offersJson) {
      return { status: 403, headers: { 'content-type': 'text/html' }, body: '<title>403 Forbidden</title>' };
    }
    if (!asked.get('q')) return { status: 400, body: { error: 'No query' } };
    if (asked.get('language') === 'zz')
      return { status: 400, body: { error: 'Invalid value "zz" for parameter language' } };
    const start = (Number(asked.get('pageno') ?? 1) - 1) * PAGE;
    return {
      status: 200,
      body: {
        query: asked.get('q'),
        number_of_results: pages.length,
        results: pages.slice(start, start + PAGE).map((page) => ({
          engine: 'duckduckgo',
          engines: ['duckduckgo'],
          category: 'general',
          score: 1,
          template: 'default.html',
          parsed_url: [],
          ...page,
        })),
        answers: [],
        corrections: [],
        infoboxes: [],
        suggestions: [],
        unresponsive_engines: unresponsive,
      },
    };
  };

  const service = await startLoopbackService('', handle);
  return Object.assign(state, service, { pages, unresponsive });
}
