// A calendar whose users sign in: the provider (RFC 6749 §4.1 with PKCE) and the service in one, on loopback.
import { createHash, randomUUID } from 'node:crypto';
import { argv } from 'node:process';
import { answerJson, listenOnLoopback } from '../support/loopback.mjs';

/** Access tokens last so many seconds; `log` says what was asked of the provider. */
export async function startCalendar(port = 0, lifetime = 3600) {
  const codes = new Map();
  const access = new Map();
  const refresh = new Map();
  const log = [];

  const issue = (scope) => {
    const tokens = { access_token: randomUUID(), refresh_token: randomUUID() };
    access.set(tokens.access_token, scope.split(' '));
    refresh.set(tokens.refresh_token, scope);
    return { ...tokens, token_type: 'Bearer', expires_in: lifetime, scope };
  };

  const grant = (form) => {
    if (form.get('grant_type') === 'refresh_token') {
      // each is good once: whoever uses it twice has lost it
      const scope = refresh.get(form.get('refresh_token'));
      refresh.delete(form.get('refresh_token'));
      return scope && issue(scope);
    }
    const asked = codes.get(form.get('code'));
    codes.delete(form.get('code'));
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits =
      asked?.get('code_challenge') === challenge && asked.get('redirect_uri') === form.get('redirect_uri');
    return fits ? issue(asked.get('scope')) : undefined;
  };

  const { url, close } = await listenOnLoopback(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://calendar');
    if (pathname === '/authorize') {
      // a person would see a page here, and agree
      const code = randomUUID();
      codes.set(code, searchParams);
      const back = new URL(searchParams.get('redirect_uri'));
      back.search = new URLSearchParams({ code, state: searchParams.get('state') });
      return response.writeHead(302, { location: back.href }).end();
    }
    const formOf = async () => new URLSearchParams(Buffer.concat(await Array.fromAsync(request)).toString());
    if (pathname === '/revoke') {
      const token = (await formOf()).get('token');
      const isKnown = [access.delete(token), refresh.delete(token)].includes(true);
      log.push(isKnown ? 'revoked' : 'unknown');
      return response.writeHead(200).end();
    }
    if (pathname === '/token') {
      const form = await formOf();
      log.push(form.get('grant_type'));
      const tokens = grant(form);
      return answerJson(response, tokens ? 200 : 400, tokens ?? { error: 'invalid_grant' });
    }
    const scopes = access.get(request.headers.authorization?.replace(/^Bearer /, ''));
    if (scopes === undefined) return answerJson(response, 401, { error: 'Sign in.' });
    const needed = request.method === 'GET' ? 'events.read' : 'events.write';
    if (!scopes.includes(needed)) return answerJson(response, 403, { error: `This needs ${needed}.` });
    return answerJson(response, 200, { events: ['Lunch with Ada'], owner: 'you' });
  }, port);
  return { url, close, log, forget: () => access.clear() };
}

if (argv[1] === import.meta.filename) console.log((await startCalendar(8792)).url);
