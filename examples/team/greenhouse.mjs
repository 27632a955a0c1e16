// As much of Greenhouse's Harvest API as the story needs: a key, an acting user on every write, jobs, candidates.
import { answerJson, listenOnLoopback } from '../support/loopback.mjs';

export const API_KEY = 'greenhouse-key-of-acme';

/** Listens on a free loopback port; `requests` is what it received. */
export async function startGreenhouse() {
  const requests = [];
  const candidates = [{ id: 1, first_name: 'Grace', last_name: 'Hopper' }];
  const routes = {
    'GET /v1/jobs': () => [{ id: 7, name: 'Compiler engineer', status: 'open' }],
    'GET /v1/candidates': () => candidates,
    'POST /v1/candidates': (candidate) => {
      candidates.push({ id: candidates.length + 1, ...candidate });
      return candidates.at(-1);
    },
  };
  const listener = async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const { pathname } = new URL(request.url, 'http://greenhouse');
    const line = `${request.method} ${pathname}`;
    const actingUser = request.headers['on-behalf-of'];
    requests.push({ line, actingUser });
    const answer = (status, body) => answerJson(response, status, body);
    const expected = `Basic ${Buffer.from(`${API_KEY}:`).toString('base64')}`;
    if (request.headers.authorization !== expected) return answer(401, { message: 'Invalid key' });
    if (request.method !== 'GET' && actingUser === undefined) return answer(403, { message: 'Who acts?' });
    const route = routes[line];
    if (route === undefined) return answer(404, { message: 'Resource not found' });
    answer(200, route(text === '' ? undefined : JSON.parse(text)));
  };
  const { url, close } = await listenOnLoopback(listener);
  return { requests, url: `${url}/v1`, close };
}
