import { expect, it } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../../src/operations/index.ts';
import { unauthorized } from '../../../src/principals/unauthorized.ts';
import { type ApiParts, createApi } from '../../../src/server/http/api.ts';
import { APPROVER_PRINCIPAL, TOKEN_PRINCIPAL } from '../../../src/server/http/guards.ts';

const ANN: Principal = { id: 'ann', kind: 'user', organisation: 'acme', maxAccess: 'delete', roles: [] };
const LIMIT = 1024 * 1024;

/** An API whose callers show nothing, unless it is said who they are. */
function api(caller?: Principal, parts: Partial<Record<keyof ApiParts, unknown>> = {}) {
  const principal = async () => {
    if (caller === undefined) throw unauthorized('Nobody.');
    return caller;
  };
  const app = createApi({
    gateway: { view: () => ({ catalog: { hash: 'h1' } }) },
    guards: { principal },
    reception: { ownerOf: async () => ({ principal: await principal(), depth: 0 }) },
    requests: { begin: () => undefined },
    metrics: { text: (sessions: number) => `sessions ${sessions}` },
    mcpSessions: () => 7,
    sessions: {},
    challenge: () => () => 'Bearer',
    originOf: () => 'http://127.0.0.1:8787',
    closing: new AbortController().signal,
    maxBodyBytes: LIMIT,
    ...parts,
  } as unknown as ApiParts);
  return (path: string, init: RequestInit = {}, owner?: Principal) =>
    app.fetch(
      new Request(`http://127.0.0.1:8787${path}`, init),
      owner === undefined ? {} : { owner: { principal: owner, depth: 1 } },
    );
}

it.each<[who: string, caller: Principal | undefined, owner: Principal | undefined, status: number]>([
  ['the holder of the token', TOKEN_PRINCIPAL, undefined, 200],
  ['the gateway itself for its owner', undefined, LOCAL_PRINCIPAL, 200],
  ['nobody', undefined, undefined, 401],
  ['a user', ANN, undefined, 403],
  ['the gateway itself for a user, whoever shows a credential', TOKEN_PRINCIPAL, ANN, 403],
  ['who only decides', APPROVER_PRINCIPAL, undefined, 403],
])('metrics are for operators: %s', async (_, caller, owner, status) => {
  const answer = await api(caller)('/metrics', {}, owner);
  expect(answer.status).toBe(status);
  expect((await answer.text()) === 'sessions 7').toBe(status === 200);
});

it.each(['/sign-in/provider', '/sign-in/answer?state=x', '/approve/abc'])(
  'the gateway itself goes to no page for people: %s',
  async (path) => {
    const ask = api();
    const message = `There is no ${path.split('?')[0]}.`;
    expect(await (await ask(path, {}, LOCAL_PRINCIPAL)).json()).toMatchObject({ error: { message } });
    expect(await (await ask(path)).text()).not.toContain(message);
  },
);

it('counts the requests of callers, not those of everybody nor its own', async () => {
  const begun: string[] = [];
  const requests = { begin: (_request: Request, { id }: Principal) => void begun.push(id) };
  const ask = api(ANN, { requests });
  await ask('/api/v1/session');
  await ask('/api/v1/tools', {}, ANN);
  expect(begun).toEqual([]);
  await ask('/api/v1/tools');
  expect(begun).toEqual(['ann']);
});

it('does nothing for a request before its turn', async () => {
  const begin = async () => {
    throw new ToolcribError('overloaded', 'Too many are open.');
  };
  const answer = await api(ANN, { requests: { begin } })('/api/v1/tools');
  expect(await answer.json()).toMatchObject({ error: { code: 'overloaded' } });
});

it.each([
  ['who signs in', '/api/v1/session', LIMIT, 65 * 1024],
  ['who signs in where the limit is smaller', '/api/v1/session', 100, 200],
])('%s may send no more than a little', async (_, path, maxBodyBytes, length) => {
  const opened: unknown[] = [];
  const sessions = { open: async (input: unknown) => opened.push(input) };
  const ask = api(undefined, {
    sessions,
    maxBodyBytes,
    reception: { ownerOf: async () => ({ principal: ANN, depth: 0 }) },
  });
  const body = JSON.stringify({ code: 'c' }).padEnd(length);
  const headers = { 'content-type': 'application/json' };
  const answer = await ask(path, { method: 'POST', headers, body });
  expect(await answer.json()).toMatchObject({ error: { code: 'body_too_large' } });
  expect(opened).toEqual([]);
  await ask(path, { method: 'POST', headers, body: body.trim() });
  expect(opened).toEqual([{ code: 'c' }]);
});

it('a slash at the end is no other address, and a path that is none of the route is refused', async () => {
  const ask = api(ANN, { gateway: {} });
  expect((await ask('/healthz/')).status).toBe(200);
  const answer = await ask(`/api/v1/artifacts/${'x'.repeat(500)}/`);
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: { code: 'request_invalid', message: expect.stringContaining('path') } },
  ]);
});

it('is ready until it closes', async () => {
  const closing = new AbortController();
  const ask = api(undefined, { closing: closing.signal });
  expect(await (await ask('/readyz')).json()).toEqual({ status: 'ready', catalog: 'h1' });
  closing.abort();
  const answer = await ask('/readyz');
  expect({ status: answer.status, body: await answer.json() }).toEqual({
    status: 503,
    body: { status: 'closing' },
  });
  expect((await ask('/healthz')).status).toBe(200);
});
