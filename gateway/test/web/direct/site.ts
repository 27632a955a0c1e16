import { DirectScraper, type DirectSettings } from '../../../src/web/index.ts';
import {
  type Answer,
  type LoopbackService,
  type ReceivedRequest,
  startLoopbackService,
} from '../../doubles/loopback-service.ts';

type Route = Answer | ((request: ReceivedRequest) => Answer | Promise<Answer>);

export interface Site extends LoopbackService {
  /** `127.0.0.1:port`. */
  readonly host: string;
  readonly routes: Record<string, Route>;
  /** Paths that were asked for, in order. */
  paths(): string[];
}

/** A site on the loopback; without a route for robots.txt it has none (404). */
export async function startSite(routes: Record<string, Route> = {}): Promise<Site> {
  const service = await startLoopbackService('', async (request) => {
    const route = routes[request.path];
    if (route === undefined) return { status: 404, body: 'not here' };
    return typeof route === 'function' ? route(request) : route;
  });
  return {
    ...service,
    routes,
    host: new URL(service.url).host,
    paths: () => service.requests.map(({ path }) => path),
  };
}

/** A scraper for which the site is an internal one that the operator allowed. */
export function scraperFor(site: Site, settings: DirectSettings = {}): DirectScraper {
  return new DirectScraper({ allow: [site.host], ...settings });
}

export function html(body: string, head = ''): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><html><head>${head}</head><body>${body}</body></html>`,
  };
}

export function redirect(location: string, status = 302): Answer {
  return { status, headers: { location } };
}

/** Enough words for an article. */
export const PARAGRAPHS = Array.from(
  { length: 8 },
  (_, index) =>
    `<p>Paragraph ${index} of an article about teapots, which are vessels, made of clay or metal, in which leaves are steeped, and from which people pour.</p>`,
).join('');
