import { answerJson, listenOnLoopback } from '../support/loopback.mjs';
import { find } from './shelf.mjs';

/** A search engine that answers as SearXNG does; resolves with its address and a way to end it. */
export function startSearchEngine() {
  return listenOnLoopback((request, response) => {
    const { searchParams } = new URL(request.url, 'http://localhost');
    const results =
      searchParams.get('pageno') > '1'
        ? []
        : find(searchParams.get('q') ?? '').map(({ title, url, snippet }) => ({
            title,
            url,
            content: snippet,
          }));
    answerJson(response, 200, { query: searchParams.get('q'), results, unresponsive_engines: [] });
  });
}
