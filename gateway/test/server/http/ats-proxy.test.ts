import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject, Principal } from '../../../src/operations/index.ts';
import { LOCAL_PRINCIPAL } from '../../../src/operations/index.ts';
import { checkPath } from '../../../src/policy/path-blocklist.ts';
import { ANN, loopbackProxy, operation } from '../../proxy/loopback-proxy.ts';
import { httpEndpoint } from './http-endpoint.ts';

const OPERATIONS = [
  operation('list_candidates', 'GET /candidates', 'read', { query: ['page', 'email'] }),
  operation('get_candidate', 'GET /candidates/{id}', 'read'),
  operation('create_candidate', 'POST /candidates', 'write', { body: ['first_name!', 'last_name!'] }),
  operation('update_candidate', 'PATCH /candidates/{id}', 'write', { body: ['company'] }),
  operation('remove_tag', 'DELETE /candidates/{id}/tags/{tag}', 'delete'),
  operation('delete_candidate', 'DELETE /candidates/{id}', 'dangerous'),
  operation('anonymize_candidate', 'PUT /candidates/{id}/anonymize', 'dangerous'),
  operation('advance_application', 'POST /applications/{id}/advance', 'write', {
    body: ['from_stage_id'],
    more: {
      actingUser: 'required',
      bindings: [{ in: 'header', name: 'On-Behalf-Of', inject: 'actingUser' }],
    },
  }),
  operation('query_records', 'POST /coql', 'read', { body: ['select_query!'] }),
  operation('list_usersx', 'GET /usersx', 'read'),
];

const REFUSED = { error: { message: 'Access to this endpoint is not allowed', code: 'path_blocked' } };
const error = (message: string, code: string) => ({ error: { message, code } });

/** The whole HTTP side with the proxy behind it, every request as `principal`. */
async function served(
  options: Partial<Parameters<typeof loopbackProxy>[0]> = {},
  principal: Principal = ANN,
) {
  const proxy = await loopbackProxy({ operations: OPERATIONS, ...options });
  const endpoint = await httpEndpoint(
    { tools: [] },
    {},
    { proxy: proxy.forward },
    { authenticate: async () => principal },
  );
  const post = async (body: unknown, path = '/api/v1/ats/proxy') => {
    const response = await endpoint.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer tck_ann' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return [response.status, await response.json()] as const;
  };
  return {
    ...proxy,
    post,
    send: (line: string, more: JsonObject = {}) => {
      const at = line.indexOf(' ');
      return post({
        provider: 'greenhouse',
        method: line.slice(0, at),
        path: line.slice(at + 1),
        ...more,
      });
    },
    async [Symbol.asyncDispose]() {
      await endpoint[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

test.each([
  ['/candidates/100%', '/v1/candidates/100%25'],
  ['/candidates/%zz', '/v1/candidates/%25zz'],
])('what is not encoded rightly is taken as it is written: %s', async (path, url) => {
  await using proxy = await served();
  expect(await proxy.send(`GET ${path}`)).toMatchObject([200, {}]);
  expect(proxy.received).toMatchObject([{ url }]);
});

test('a request becomes a call on the operation that it means', async () => {
  await using proxy = await served();
  const answer = await proxy.send('POST /applications/123/advance', { body: { from_stage_id: 456 } });
  expect(answer).toMatchObject([403, { error: { code: 'acting_user_missing' } }]);
  await using acting = await served({ actingUser: '77' });
  expect(await acting.send('POST /applications/123/advance', { body: { from_stage_id: 456 } })).toEqual([
    200,
    {
      data: { ok: true },
      meta: {
        provider: 'greenhouse',
        method: 'POST',
        path: '/applications/123/advance',
        durationMs: expect.any(Number),
      },
    },
  ]);
  expect(acting.called).toEqual([{ operation: 'advance_application', tool: 'ats-proxy', refused: false }]);
  expect(acting.received).toMatchObject([
    {
      method: 'POST',
      url: '/v1/applications/123/advance',
      headers: { authorization: 'Bearer provider-token', 'on-behalf-of': '77' },
      body: '{"from_stage_id":456}',
    },
  ]);
});

describe('what is wrong with a request', () => {
  const missing = error('Missing required fields: provider, method, path', 'ATS_INVALID_REQUEST');
  const complete = { provider: 'greenhouse', method: 'GET', path: '/candidates' };

  test.each([
    ['no JSON', '{', error('Invalid JSON body', 'ATS_INVALID_REQUEST')],
    ['no body', '', error('Invalid JSON body', 'ATS_INVALID_REQUEST')],
    ['a list', [], missing],
    ['null', 'null', missing],
    ['no provider', { ...complete, provider: undefined }, missing],
    ['an empty path', { ...complete, path: ' ' }, missing],
    ['a method that is no text', { ...complete, method: 7 }, missing],
    [
      'another provider',
      { ...complete, provider: 'workday' },
      error('Unsupported provider: workday', 'ATS_INVALID_REQUEST'),
    ],
  ])('%s', async (_what, body, answer) => {
    await using proxy = await served();
    expect(await proxy.post(body)).toEqual([400, answer]);
    expect(proxy.received).toEqual([]);
  });

  test.each([
    [{ ...complete, method: 'TRACE' }],
    [{ ...complete, query: 'page=1' }],
    [{ ...complete, query: { filter: { a: 1 } } }],
    [{ ...complete, headers: { 'if-match': 1 } }],
  ])('%j', async (body) => {
    await using proxy = await served();
    expect(await proxy.post(body)).toMatchObject([400, { error: { code: 'ATS_INVALID_REQUEST' } }]);
    expect(proxy.received).toEqual([]);
  });

  test('a body that is too large', async () => {
    await using proxy = await served();
    const answer = await proxy.send('POST /candidates', { body: { note: 'x'.repeat(20_000) } });
    expect(answer).toMatchObject([413, { error: { message: expect.any(String), code: 'body_too_large' } }]);
  });
});

describe('standing', () => {
  const NOT_CONNECTED = error('No ATS integration connected', 'INTEGRATION_NOT_CONNECTED');
  const DISABLED = error('ATS access is disabled or not connected', 'tool_forbidden');
  const READ_ONLY = error('You have read-only access to the ATS', 'tool_forbidden');
  const none = { level: 'none', connection: 'missing' } as const;

  test('a user without organisation', async () => {
    const { organisation: _none, ...lonely } = ANN;
    await using proxy = await served({}, lonely);
    expect(await proxy.send('GET /candidates')).toEqual([
      403,
      error('User must belong to an organization', 'organisation_missing'),
    ]);
  });

  test('the owner of the process needs none', async () => {
    await using proxy = await served({}, LOCAL_PRINCIPAL);
    expect(await proxy.send('GET /candidates')).toMatchObject([200, { data: { ok: true } }]);
  });

  test.each([
    ['nothing is connected', none, 400, NOT_CONNECTED],
    ['the record has no credential', { level: 'none', connection: 'unauthenticated' }, 400, NOT_CONNECTED],
    ['the connection is switched off', { level: 'none', connection: 'disabled' }, 403, DISABLED],
    ['the admin switched the category off', { level: 'disabled' }, 403, DISABLED],
    ['switched off and not connected', { level: 'disabled', connection: 'missing' }, 403, DISABLED],
    ['no level was set', { level: 'none' }, 403, DISABLED],
    ['the level cannot be read', { level: 'owner' as never }, 403, DISABLED],
  ] as const)('%s', async (_what, greenhouse, status, answer) => {
    await using proxy = await served({ grants: { greenhouse } });
    expect(await proxy.send('GET /candidates')).toEqual([status, answer]);
    expect(proxy.received).toEqual([]);
  });

  test('no grant at all', async () => {
    await using proxy = await served({ grants: {} });
    expect(await proxy.send('GET /candidates')).toEqual([400, NOT_CONNECTED]);
  });

  test('read-only reads and does not write', async () => {
    await using proxy = await served({ grants: { greenhouse: { level: 'read-only' } } });
    expect(await proxy.send('GET /candidates')).toMatchObject([200, {}]);
    expect(await proxy.send('POST /candidates', { body: { first_name: 'A', last_name: 'B' } })).toEqual([
      403,
      READ_ONLY,
    ]);
    expect(await proxy.send('DELETE /candidates/1/tags/2')).toEqual([403, READ_ONLY]);
    expect(proxy.received.map(({ method }) => method)).toEqual(['GET']);
    expect(proxy.called.map(({ refused }) => refused)).toEqual([false, true, true]);
  });

  test('a key that only reads', async () => {
    await using proxy = await served({}, { ...ANN, maxAccess: 'read' });
    expect(await proxy.send('PATCH /candidates/1', { body: {} })).toEqual([403, READ_ONLY]);
  });

  test('a key for other sources does not know this provider', async () => {
    await using proxy = await served({}, { ...ANN, sources: ['lever'] });
    expect(await proxy.send('GET /candidates')).toMatchObject([
      400,
      { error: { message: 'Unsupported provider: greenhouse' } },
    ]);
  });
});

describe('regressions of the first proxy', () => {
  const path =
    (line: string, raw = false) =>
    async () => {
      await using proxy = await served({ source: { rawProxy: raw } });
      return { answer: await proxy.send(line), urls: proxy.received.map(({ url }) => url) };
    };
  const bypasses = [
    ['users without slash', 'users'],
    ['a dot segment', '/./users'],
    ['dot segments through an open path', '/candidates/../users'],
    ['a doubled slash', '//users'],
    ['an escaped letter', '/%75sers'],
    ['an escaped escape', '/%2575sers'],
    ['upper case', '/USERS/1'],
    ['a look-alike', '/ｕsers'],
    ['a backslash', '\\users'],
    ['a parameter', '/users;x=1'],
    ['a query', '/users?per_page=1'],
    ['white space', '\t/us\ners'],
    ['leaving the base path', '/../v2/candidates'],
    ['leaving the base path by escapes', '/%2e%2e/v2/candidates'],
    ['another origin', 'https://evil.example/v1/candidates'],
    ['another origin without scheme', '//evil.example/candidates'],
  ] as const;

  test.each(bypasses)('blocklist: %s', async (_what, asked) => {
    for (const raw of [false, true]) {
      const { answer, urls } = await path(`GET ${asked}`, raw)();
      expect(answer).toEqual([403, REFUSED]);
      expect(urls).toEqual([]);
    }
  });

  test('/usersx is not /users', async () => {
    expect(await path('GET /usersx')()).toMatchObject({ answer: [200, {}], urls: ['/v1/usersx'] });
  });

  test('what reaches the provider is the path that was judged', async () => {
    const { urls } = await path('GET /jobs/%2e%2e/./CANDIDATES//17?page=2#x')();
    expect(urls).toEqual(['/v1/candidates/17?page=2']);
  });

  test("callers' headers never override ours", async () => {
    await using proxy = await served({ actingUser: '77' });
    await proxy.send('POST /applications/1/advance', {
      headers: {
        Authorization: 'Bearer stolen',
        authorization: 'Bearer stolen',
        Host: 'evil.example',
        Cookie: 'a=b',
        'On-Behalf-Of': '1',
        'Content-Type': 'text/plain',
        'X-HTTP-Method-Override': 'DELETE',
        'X-Forwarded-Host': 'evil.example',
        'Idempotency-Key': 'k1',
      },
    });
    const { headers } = proxy.received[0]!;
    expect(headers).toMatchObject({
      authorization: 'Bearer provider-token',
      host: expect.stringMatching(/^127\.0\.0\.1:/),
      'on-behalf-of': '77',
      'idempotency-key': 'k1',
    });
    for (const name of ['cookie', 'x-http-method-override', 'x-forwarded-host']) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  test('the method is what it says: no member changes it', async () => {
    await using proxy = await served();
    for (const more of [
      { query: { _method: 'DELETE' } },
      { query: { _HttpMethod: 'DELETE' } },
      { query: { 'x-http-method-override': 'DELETE' } },
      { query: { '.method': 'DELETE' } },
      { body: { _Method: 'DELETE' } },
    ]) {
      expect(await proxy.send('POST /candidates', more)).toEqual([403, REFUSED]);
    }
    expect(await proxy.send('POST /candidates?_method=delete')).toEqual([403, REFUSED]);
    expect(proxy.received).toEqual([]);
  });

  test('a token goes to no other provider', async () => {
    const lever = {
      name: 'lever',
      provider: {
        ...{ provider: 'lever', displayName: 'Lever', category: 'ats', blocklist: [], regions: {} },
        baseUrl: 'https://api.lever.example/v1',
      },
      category: 'ats',
      rawProxy: true,
      operations: [],
      closed: [],
    };
    await using proxy = await served({ others: [lever] });
    const asked = { provider: 'lever', method: 'GET', path: '/opportunities' };
    expect(await proxy.post(asked)).toEqual([
      400,
      error('Unsupported provider: lever', 'ATS_INVALID_REQUEST'),
    ]);
    expect(await proxy.send('GET https://api.lever.example/v1/opportunities')).toEqual([403, REFUSED]);
    expect([proxy.received, proxy.called.filter(({ refused }) => !refused)]).toEqual([[], []]);
  });

  test.each(['DELETE /candidates/17', 'PUT /candidates/17/anonymize', 'DELETE /candidates/17%2Fanonymize'])(
    'dangerous operations are refused at the call, by whatever path: %s',
    async (line) => {
      for (const raw of [false, true]) {
        const { answer, urls } = await path(line, raw)();
        expect(answer).toEqual([403, REFUSED]);
        expect(urls).toEqual([]);
      }
    },
  );

  test('what the catalog left out is not reached through an operation beside it', async () => {
    const operations = [
      operation('remove_one', 'DELETE /candidates/{id}', 'delete'),
      operation('untag', 'DELETE /tags', 'delete', { query: ['name!'] }),
    ];
    const closed = [
      { operation: 'remove_all', method: 'DELETE', path: '/candidates/bulk' },
      { operation: 'remove_tags', method: 'DELETE', path: '/tags' },
    ];
    await using proxy = await served({ operations, source: { closed, rawProxy: true } });
    for (const line of [
      'DELETE /candidates/bulk',
      'DELETE /Candidates/%42ulk',
      'DELETE /tags',
      'DELETE /tags?ids=1',
    ]) {
      expect(await proxy.send(line)).toEqual([403, REFUSED]);
    }
    expect(proxy.called.map(({ operation: id }) => id)).toEqual([
      'remove_all',
      'remove_all',
      'remove_tags',
      'remove_tags',
    ]);
    expect(await proxy.send('DELETE /candidates/17')).toMatchObject([200, {}]);
    expect(await proxy.send('DELETE /tags?name=x')).toMatchObject([200, {}]);
  });

  test('a raw request does not reach a dangerous path by another method', async () => {
    for (const line of [
      'POST /candidates/17/anonymize',
      'GET /Candidates/17/%61nonymize',
      'OPTIONS /candidates/1',
    ]) {
      expect((await path(line, true)()).answer).toEqual([403, REFUSED]);
    }
  });

  test('access is the operation’s, not the method’s: a POST that reads works read-only', async () => {
    await using proxy = await served({ grants: { greenhouse: { level: 'read-only' } } });
    expect(await proxy.send('POST /coql', { body: { select_query: 'select id from Leads' } })).toMatchObject([
      200,
      {},
    ]);
    expect(proxy.called).toMatchObject([{ operation: 'query_records' }]);
  });

  test('a call carries no refused request any further, and still is recorded', async () => {
    await using proxy = await served();
    await proxy.send('DELETE /candidates/17');
    await proxy.send('GET /users');
    expect(proxy.called).toEqual([
      { operation: 'delete_candidate', tool: 'ats-proxy', refused: true },
      { operation: 'raw GET', tool: 'ats-proxy', refused: true },
    ]);
  });
});

describe('several operations on one method and path', () => {
  const wrapped = { body: { contentType: 'application/json', required: true, wrapInData: true } } as const;
  const operations = [
    operation('update_candidate', 'PUT /Candidates', 'read', {
      body: ['id!', 'First_Name', 'Email'],
      more: wrapped,
    }),
    operation('update_candidate_status', 'PUT /Candidates', 'write', {
      body: ['id!', 'Candidate_Status!'],
      more: wrapped,
    }),
    operation('delete_candidates', 'DELETE /Candidates', 'dangerous', { query: ['ids!'] }),
    operation('untag_candidates', 'DELETE /Candidates', 'delete', { query: ['tag!'] }),
    operation('search_candidates', 'GET /Candidates/search', 'read', { query: ['criteria'] }),
    operation('get_candidate', 'GET /Candidates/{id}', 'write'),
  ];
  const asked = async (line: string, more: JsonObject, level: 'read-only' | 'read-write') => {
    await using proxy = await served({ operations, grants: { greenhouse: { level } } });
    const [status] = await proxy.send(line, more);
    return [status, proxy.called[0]?.operation, proxy.received[0]?.body];
  };

  test.each([
    ['by what only one names', { id: '1', First_Name: 'A' }, 200, 'update_candidate'],
    ['by what one requires', { id: '1', Candidate_Status: 'Hired' }, 403, 'update_candidate_status'],
    [
      'undecided: the most harmful',
      { id: '1', First_Name: 'A', Candidate_Status: 'x' },
      403,
      'update_candidate_status',
    ],
    ['unknown fields: the most harmful', { id: '1', Custom: 1 }, 403, 'update_candidate_status'],
  ])('%s', async (_how, record, status, operation) => {
    const body = { data: [record] };
    const answer = await asked('PUT /Candidates', { body }, 'read-only');
    expect(answer.slice(0, 2)).toEqual([status, operation]);
    const [, , sent] = await asked('PUT /Candidates', { body }, 'read-write');
    expect(JSON.parse(sent as string)).toEqual(body);
  });

  test.each([
    ['by the query', { query: { tag: 'x' } }, 200],
    ['the dangerous one', { query: { ids: '1' } }, 403],
    ['both', { query: { tag: 'x', ids: '1' } }, 403],
    ['neither', {}, 403],
    ['in the path', { path: '/Candidates?tag=x&ids=1' }, 403],
  ])('%s', async (_how, more, status) => {
    expect((await asked('DELETE /Candidates', more, 'read-write'))[0]).toBe(status);
  });

  test('a literal segment wins over a placeholder', async () => {
    expect((await asked('GET /Candidates/search', {}, 'read-only')).slice(0, 2)).toEqual([
      200,
      'search_candidates',
    ]);
    expect((await asked('GET /Candidates/17', {}, 'read-only'))[0]).toBe(403);
  });
});

describe('what no operation describes', () => {
  test('is refused', async () => {
    await using proxy = await served();
    expect(await proxy.send('GET /offices')).toEqual([403, REFUSED]);
  });

  test('goes where the configuration opens the source, classed by its method', async () => {
    const source = { rawProxy: true };
    await using proxy = await served({ source, grants: { greenhouse: { level: 'read-only' } } });
    expect(await proxy.send('GET /offices/a%20b', { query: { x: [1, 2], y: null } })).toMatchObject([
      200,
      {},
    ]);
    expect(proxy.received).toMatchObject([
      { url: '/v1/offices/a%20b?x=1&x=2', headers: { authorization: 'Bearer provider-token' } },
    ]);
    expect(await proxy.send('POST /offices', { body: {} })).toMatchObject([
      403,
      { error: { message: 'You have read-only access to the ATS' } },
    ]);
    await using writing = await served({ source });
    expect(await writing.send('POST /offices', { body: [{ name: 'Bern' }] })).toMatchObject([200, {}]);
    expect(writing.received).toMatchObject([{ body: '[{"name":"Bern"}]' }]);
  });

  test('what the configuration left out of the catalog stays out', async () => {
    await using proxy = await served({
      source: { rawProxy: true, closed: [{ method: 'DELETE', path: '/jobs/{id}' }] },
    });
    expect(await proxy.send('GET /jobs/17')).toEqual([403, REFUSED]);
  });

  const file = new URL('../../../../../shared/data/security/path-blocklist.jsonl', import.meta.url);
  test.skipIf(!existsSync(file))(
    'every row of the path corpus is judged as the policy judges it',
    async () => {
      const rows = readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      for (const { base, path: asked, blocklist, expect: verdict, id } of rows) {
        const reached: string[] = [];
        await using proxy = await loopbackProxy({
          operations: [],
          source: { rawProxy: true, baseUrl: base },
          facts: { blocklist },
        });
        await proxy.ask({ provider: 'greenhouse', method: 'GET', path: asked });
        reached.push(...proxy.called.filter(({ refused }) => !refused).map(({ operation: name }) => name));
        expect([id, reached.length]).toEqual([id, verdict === 'allow' ? 1 : 0]);
        expect(checkPath({ base, path: asked, blocklist }).allow).toBe(verdict === 'allow');
      }
    },
  );
});

describe('the provider’s answer', () => {
  test.each([
    [404, '{"errors":[{"message":"Resource not found"}]}', { errors: [{ message: 'Resource not found' }] }],
    [401, '{"message":"nope"}', { message: 'nope' }],
    [422, 'bad email', 'bad email'],
    [409, '', null],
  ])('%i keeps its status', async (status, body, data) => {
    await using proxy = await served({
      answer: (_request, response) => {
        response.writeHead(status, {
          'content-type': body.startsWith('{') ? 'application/json' : 'text/plain',
        });
        response.end(body);
      },
    });
    expect(await proxy.send('GET /candidates/1')).toEqual([
      status,
      { error: { message: `Provider returned ${status}`, status, data } },
    ]);
  });

  test('of a write that was not done is passed on as the provider says it', async () => {
    const refused = {
      data: [{ code: 'INVALID_DATA', details: {}, message: 'invalid data', status: 'error' }],
    };
    await using proxy = await served({
      answer: (_request, response) => {
        response.writeHead(202, { 'content-type': 'application/json' });
        response.end(JSON.stringify(refused));
      },
    });
    const body = { first_name: 'Ann', last_name: 'Lee' };
    expect(await proxy.send('POST /candidates', { body })).toMatchObject([200, { data: refused }]);
  });

  test.each([
    ['a list', 'application/json', '[1,2]', [1, 2]],
    ['text', 'text/plain', 'plain', 'plain'],
    ['nothing', 'application/json', '', null],
    ['much', 'application/json', JSON.stringify({ a: 'x'.repeat(200_000) }), { a: 'x'.repeat(200_000) }],
    ['much text', 'text/plain', 'y'.repeat(200_000), 'y'.repeat(200_000)],
  ])('%s comes whole', async (_what, type, body, data) => {
    await using proxy = await served({
      answer: (_request, response) => {
        response.setHeader('content-type', type);
        response.end(body);
      },
    });
    const [status, answer] = await proxy.send('GET /candidates/1');
    expect([status, (answer as { data: unknown }).data]).toEqual([200, data]);
  });

  test('a provider that does not answer in time', async () => {
    await using proxy = await served({ timeoutMs: 400, answer: () => undefined });
    expect(await proxy.send('GET /candidates/1')).toMatchObject([502, { error: { code: 'ATS_TIMEOUT' } }]);
    expect(await proxy.send('PATCH /candidates/1', { body: {} })).toMatchObject([
      502,
      { error: { code: 'ATS_TIMEOUT' } },
    ]);
  });

  test('a provider that cannot be reached', async () => {
    await using proxy = await served({ answer: (request) => request.socket.destroy() });
    expect(await proxy.send('GET /candidates/1')).toMatchObject([502, { error: { code: 'NETWORK_ERROR' } }]);
  });
});

test('the generic route reaches any category, the ATS route applicant tracking systems alone', async () => {
  await using proxy = await served({
    source: { category: 'crm' },
    grants: { greenhouse: { category: 'crm', level: 'read-only' } },
  });
  const asked = { provider: 'greenhouse', method: 'PATCH', path: '/candidates/1' };
  expect(await proxy.post(asked)).toMatchObject([
    400,
    { error: { message: 'Unsupported provider: greenhouse' } },
  ]);
  expect(await proxy.post(asked, '/api/v1/proxy')).toMatchObject([
    403,
    { error: { message: 'You have read-only access to the CRM' } },
  ]);
});
