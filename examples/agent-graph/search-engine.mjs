import { createServer } from 'node:http';
import { find } from './shelf.mjs';

/** A search engine that answers as SearXNG does; resolves with its address. */
export async function startSearchEngine() {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url, 'http://localhost');
    const results =
      searchParams.get('pageno') > '1'
        ? []
        : find(searchParams.get('q') ?? '').map(({ title, url, snippet }) => ({
            title,
            url,
            content: snippet,
          }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ query: searchParams.get('q'), results, unresponsive_engines: [] }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
