// A depot whose tokens are given to a program on this machine. It takes the one that it gave last.
import { randomUUID } from 'node:crypto';
import { argv } from 'node:process';
import { answerJson, listenOnLoopback } from '../support/loopback.mjs';

/** `given` counts tokens, `refused` calls with another one. */
export async function startDepot(port = 0) {
  const depot = { given: 0, refused: 0, open: true };
  let token;
  const { url, close } = await listenOnLoopback((request, response) => {
    const { pathname } = new URL(request.url, 'http://depot');
    if (pathname === '/token') {
      if (!depot.open)
        return answerJson(response, 403, { message: 'Your session has ended: sign in again.' });
      token = `depot-${randomUUID()}`;
      depot.given++;
      return answerJson(response, 200, { token });
    }
    if (token !== undefined && request.headers.authorization === `Bearer ${token}`)
      return answerJson(response, 200, { boxes: ['B1', 'B2'] });
    depot.refused++;
    return answerJson(response, 401, { message: 'This token is not valid any more.' });
  }, port);
  return Object.assign(depot, { url, close, withdraw: () => (token = undefined) });
}

if (argv[1] === import.meta.filename) console.log((await startDepot(8795)).url);
