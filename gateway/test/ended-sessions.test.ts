import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { CompletedResult, Gateway } from '../src/index.ts';
import { liveFolder } from './live-folder.ts';
import { liveService } from './live-service.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** How a service lets somebody in, and how it says that a session is over. */
interface Manner {
  readonly loginPath: string;
  readonly granted: (token: string) => unknown;
  readonly token: (request: IncomingMessage) => string | undefined;
  readonly over: Answer;
  readonly scheme: object;
  readonly login: object;
  readonly ended: object;
}

/** https://docs.parseplatform.org/rest/guide/#logging-in */
const PARSE: Manner = {
  loginPath: '/v1/login',
  granted: (token) => ({ objectId: 'u1', username: 'clerk', sessionToken: token }),
  token: ({ headers }) => headers['x-parse-session-token'] as string | undefined,
  over: { status: 400, body: { code: 209, error: 'Invalid session token' } },
  scheme: { type: 'apiKey', in: 'header', name: 'X-Parse-Session-Token' },
  login: { url: '/login', body: { username: 'clerk', password: 'sesame' }, token: '/sessionToken' },
  ended: { status: 400, body: { '/code': 209 } },
};

/** https://www.zabbix.com/documentation/current/en/manual/api */
const ZABBIX: Manner = {
  loginPath: '/v1/api_jsonrpc.php',
  granted: (result) => ({ jsonrpc: '2.0', result, id: 1 }),
  token: ({ headers }) => headers.authorization?.replace(/^Bearer /, ''),
  over: {
    status: 200,
    body: {
      jsonrpc: '2.0',
      error: { code: -32602, message: 'Invalid params.', data: 'Session terminated, re-login, please.' },
      id: 1,
    },
  },
  scheme: { type: 'http', scheme: 'bearer' },
  login: {
    url: '/api_jsonrpc.php',
    body: { jsonrpc: '2.0', method: 'user.login', params: { username: 'clerk', password: 'sesame' }, id: 1 },
    token: '/result',
  },
  ended: { status: 200, body: { '/error/data': 'Session terminated, re-login, please.' } },
};

const SAP = {
  ...PARSE,
  over: { status: 500, body: { error: { code: 301, message: { value: 'Invalid session.' } } } },
  ended: { status: 500, body: { '/error/code': 301 } },
};

/** A service of that manner behind a gateway, with one operation that reads, one that writes, one that is given a password. */
async function gatewayTo(manner: Manner, login: object = { ended: [manner.ended] }) {
  let logins = 0;
  const sessions = new Set<string>();
  const service = { isDeaf: false, carriedOut: [] as string[] };
  const { base, seen } = await liveService((request, response) => {
    const send = ({ status, body }: Answer) => {
      response.statusCode = status;
      response.end(JSON.stringify(body));
      return true;
    };
    if (request.url === manner.loginPath) {
      const token = `session-token-${++logins}`;
      sessions.add(token);
      return send({ status: 200, body: manner.granted(token) });
    }
    const token = manner.token(request);
    if (service.isDeaf || token === undefined || !sessions.has(token)) return send(manner.over);
    service.carriedOut.push(request.method!);
    return send({ status: 200, body: { done: request.method } });
  });
  const { put, configure, start } = await liveFolder();
  const responses = { 200: { description: '', content: { 'application/json': { schema: {} } } } };
  const password = { type: 'object', properties: { current_password: { type: 'string' } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Api', version: '1' },
    servers: [{ url: `${base}/v1` }],
    components: { securitySchemes: { session: manner.scheme } },
    security: [{ session: [] }],
    paths: {
      '/hosts': {
        get: { operationId: 'list', responses },
        post: { operationId: 'create', responses },
        put: {
          operationId: 'change',
          requestBody: { content: { 'application/json': { schema: password } } },
          responses,
        },
      },
    },
  };
  await put('api.json', JSON.stringify(document));
  await configure({
    watch: false,
    egress: { allow: [base] },
    sources: {
      a: {
        openapi: './api.json',
        prefix: 'none',
        baseUrl: `${base}/v1`,
        credentials: { login: { ...manner.login, ...login } },
      },
    },
  });
  const gateway = await start();
  return {
    service,
    seen,
    call: callOf(gateway),
    logins: () => logins,
    /** The service is started anew, or an hour passes. */
    end: () => sessions.clear(),
  };
}

const callOf =
  (gateway: Gateway) =>
  async (tool: string, args: object = {}): Promise<CompletedResult> => {
    const result = await gateway.call({ tool, arguments: args as never });
    expect(result.kind).toBe('completed');
    return result as CompletedResult;
  };

const textOf = ({ content }: CompletedResult) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

describe.each([
  ['Parse, by 400', PARSE],
  ['Zabbix, by 200', ZABBIX],
  ['SAP, by 500', SAP],
])('a session that ended, as %s', (_, manner) => {
  it('is begun anew, and what reads is asked again', async () => {
    const { call, end, logins, seen } = await gatewayTo(manner);
    expect(await call('list')).toMatchObject({ structured: { done: 'GET' } });
    end();
    const again = await call('list');
    expect(again).toMatchObject({ structured: { done: 'GET' } });
    expect(again).not.toHaveProperty('warnings');
    expect(logins()).toBe(2);
    expect(seen).toHaveLength(5);
  });

  it('is begun anew once for all that wait', async () => {
    const { call, end, logins } = await gatewayTo(manner);
    await call('list');
    end();
    const all = await Promise.all([call('list'), call('list'), call('list'), call('list')]);
    for (const one of all) expect(one).toMatchObject({ structured: { done: 'GET' } });
    expect(logins()).toBe(2);
  });

  it('is not begun without end by a service that says so for ever, and its answer is the answer', async () => {
    const { call, service, logins, seen } = await gatewayTo(manner);
    service.isDeaf = true;
    const answers = [await call('list'), await call('list'), await call('list'), await call('list')];
    expect(logins()).toBe(3);
    expect(seen.length - logins()).toBe(6);
    for (const answer of answers) {
      expect(answer.status).toBe(manner.over.status);
      expect(textOf(answer)).toContain('the operator checks the one configured for this source');
    }
  });

  it('is none where nobody says so', async () => {
    const { call, end, logins } = await gatewayTo(manner, {});
    await call('list');
    end();
    const { status } = await call('list');
    expect(status).toBe(manner.over.status);
    expect(logins()).toBe(1);
  });
});

describe('a write in a session that ended', () => {
  it('goes again after a refusal, as after a 401: nothing was carried out', async () => {
    const { call, end, service } = await gatewayTo(PARSE);
    await call('list');
    end();
    expect(await call('create')).toMatchObject({ structured: { done: 'POST' } });
    expect(service.carriedOut).toEqual(['GET', 'POST']);
  });

  it.each([
    ['Zabbix', ZABBIX],
    ['SAP', SAP],
  ])('does not where it may have happened, says so, and the next one can: %s', async (_, manner) => {
    const { call, end, seen, service } = await gatewayTo(manner);
    await call('list');
    end();
    const before = seen.length;
    const answer = await call('create');
    expect(seen).toHaveLength(before + 1);
    expect(answer.status).toBe(manner.over.status);
    expect(textOf(answer)).toContain('The next call signs in anew.');
    expect(textOf(answer)).toMatch(/check its effect/i);
    expect(await call('create')).toMatchObject({ structured: { done: 'POST' } });
    expect(service.carriedOut).toEqual(['GET', 'POST']);
  });

  it('does not where it is given a password, which may be what is wrong', async () => {
    const { call, end, seen } = await gatewayTo(PARSE);
    await call('list');
    end();
    const before = seen.length;
    const answer = await call('change', { current_password: 'x' });
    expect(seen).toHaveLength(before + 1);
    expect(answer).toMatchObject({
      status: 400,
      error: { next: expect.stringContaining('call once more: the source signs in anew') },
    });
    expect(await call('change', { current_password: 'x' })).toMatchObject({ structured: { done: 'PUT' } });
  });
});

it('what goes on failing is told with the words of the service', async () => {
  const { call, service } = await gatewayTo(PARSE);
  service.isDeaf = true;
  expect(await call('list')).toMatchObject({
    error: {
      code: 'upstream_status',
      status: 400,
      message: expect.stringContaining('answered 400 Bad Request: Invalid session token'),
      next: 'The service refuses the credential: the operator checks the one configured for this source.',
    },
  });
});

it('another answer of the same status is no end of a session', async () => {
  const other = { ...PARSE, over: { status: 400, body: { code: 101, error: 'Object not found.' } } };
  const { call, service, logins } = await gatewayTo(other);
  service.isDeaf = true;
  expect(await call('list')).toMatchObject({
    status: 400,
    error: { next: expect.stringContaining('arguments') },
  });
  expect(logins()).toBe(1);
});

it('a 403 that stays is about what the account may do', async () => {
  const forbidding = { ...PARSE, over: { status: 403, body: {} }, ended: { status: 403 } };
  const { call, service, logins } = await gatewayTo(forbidding);
  service.isDeaf = true;
  expect(await call('list')).toMatchObject({
    status: 403,
    error: { next: expect.stringContaining('checks the permissions') },
  });
  expect(logins()).toBe(2);
});
