// A warehouse with a login of its own: a token for a name and a password, forgotten when the service is started anew.
import { randomUUID } from 'node:crypto';
import { argv } from 'node:process';
import { answerJson, listenOnLoopback } from '../support/loopback.mjs';

/** `log` says which logins came. */
export async function startWarehouse(port = 0) {
  const sessions = new Map();
  const log = [];
  const { url, close } = await listenOnLoopback(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://warehouse');
    if (pathname === '/api/auth/login') {
      const chunks = await Array.fromAsync(request);
      const { username, password } = JSON.parse(Buffer.concat(chunks).toString());
      const isRight = username === 'clerk' && password === 'sesame';
      log.push(isRight ? 'right' : 'wrong');
      if (!isRight) return answerJson(response, 401, { message: 'Wrong name or password.' });
      const token = randomUUID();
      sessions.set(token, username);
      return answerJson(response, 200, { data: { token } });
    }
    const clerk = sessions.get(request.headers.authorization?.replace(/^Bearer /, ''));
    if (clerk === undefined) return answerJson(response, 401, { message: 'Log in first.' });
    return answerJson(response, 200, { shelves: ['A1', 'A2'], clerk });
  }, port);
  return { url, close, log, forget: () => sessions.clear() };
}

if (argv[1] === import.meta.filename) console.log((await startWarehouse(8793)).url);
