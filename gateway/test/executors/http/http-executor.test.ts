import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CredentialProvider } from '../../../src/credentials/credential-provider.ts';
import { createEgress, type Egress } from '../../../src/egress/index.ts';
import type { HttpAnswer } from '../../../src/executors/executor.ts';
import { createHttpExecutor } from '../../../src/executors/http/index.ts';
import {
  type Call,
  type Connection,
  type HttpInvocation,
  type JsonObject,
  LOCAL_PRINCIPAL,
  type Operation,
} from '../../../src/operations/index.ts';
import { connectionOf, operationOf } from './operation-under-test.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let egress: Egress;
let origin: string;
let answers: Answer[];
let seen: IncomingMessage[];

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    request.resume().on('end', () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  egress = createEgress({ allow: [origin] });
});
afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  seen = [];
  answers = [status(200)];
});

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(code, headers).end();
  };

/** Puts a token that changes each time the service refuses it. */
function tokens(list: readonly string[]): CredentialProvider {
  let at = 0;
  return {
    authorize: async (request, _connection, security) =>
      security.length === 0
        ? request
        : {
            ...request,
            headers: [...request.headers, ['authorization', `Bearer ${list[at]}`]],
            credentialHeaders: ['authorization'],
          },
    plan: async (request) => request,
    refused: () => ++at < list.length,
  };
}

const tokensOfNobody: CredentialProvider = {
  authorize: async (request) => request,
  plan: async (request) => request,
  refused: () => false,
};

interface Run {
  readonly invocation?: Partial<HttpInvocation>;
  readonly operation?: Partial<Operation>;
  readonly connection?: Partial<Connection>;
  readonly args?: JsonObject;
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  readonly credentials?: CredentialProvider;
  readonly timeoutMs?: number;
  readonly egress?: Egress;
}

function run({
  invocation = {},
  operation = {},
  connection = {},
  args = {},
  dryRun = false,
  signal = new AbortController().signal,
  credentials = tokens(['t1']),
  timeoutMs = 5000,
  egress: door = egress,
}: Run) {
  const executor = createHttpExecutor({
    egress: door,
    credentials,
    retry: { baseDelayMs: 1, maxDelayMs: 2000 },
  });
  const deadline = Date.now() + timeoutMs;
  const call: Call = {
    id: 'c',
    principal: LOCAL_PRINCIPAL,
    tool: 't',
    operation: operationOf(invocation, operation),
    arguments: args,
    deadline,
    signal,
    channel: {},
    dryRun,
    depth: 0,
  };
  return executor.execute(call, {
    connection: connectionOf({ baseUrl: origin, ...connection }),
    signal,
    deadline,
  });
}

const bearer = { security: [{ bearer: [] }] };
const WRITES: Partial<Operation> = {
  access: 'write',
  safety: { network: true, file: false, destructive: false, idempotent: false, openWorld: true },
};

describe('redirects', () => {
  const page = status(200, { 'content-type': 'text/html; charset=utf-8' });

  it('to a page that nobody described are told', async () => {
    answers = [status(302, { location: '/welcome?next=/pets' }), page];
    const raw = await run({ invocation: { accept: ['application/json'] } });
    expect(raw).toMatchObject({
      redirectedTo: '/welcome',
      warnings: [expect.stringContaining('redirected this call to /welcome, which is a page')],
    });
  });

  it('to a page whose address names an error say that, in a read as in a write', async () => {
    const location = '/welcome?error=email_exists&error_description=It%20is%1b%0Ataken&token=s3cret';
    answers = [status(302, { location }), page];
    const raw = await run({ operation: { access: 'write' }, invocation: { accept: ['application/json'] } });
    expect(raw).toMatchObject({
      warnings: [
        'The service redirected this call to /welcome with the error email_exists (It is taken): most likely it failed.',
      ],
    });
  });

  it.each<[string, Answer[], Run]>([
    ['429', [status(303, { location: '/done' }), status(429), status(201)], {}],
    ['503 with a time', [status(302, { location: '/done' }), status(503, { 'retry-after': '0' })], {}],
    [
      'a refused credential',
      [status(303, { location: '/done' }), status(401), status(201)],
      { invocation: { ...bearer, method: 'POST' }, credentials: tokens(['old', 'new']) },
    ],
    ['by GET', [status(302, { location: '/done' }), status(429), status(200)], { invocation: {} }],
  ])('answer a write, which what comes after them does not make undone: %s', async (_, given, options) => {
    answers = [...given];
    const raw = await run({ invocation: { method: 'POST' }, operation: WRITES, ...options });
    expect(seen.map(({ url }) => url)).toEqual(['/', '/done']);
    expect(raw).toMatchObject({ attempts: 1, unknownOutcome: true });
  });

  it.each(['GET', 'POST'])('answer a write by %s, also where nothing listens behind them', async (method) => {
    answers = [status(302, { location: 'http://127.0.0.1:1/done' })];
    const door = createEgress({ allow: [origin, 'http://127.0.0.1:1'] });
    const failed = run({ invocation: { method }, operation: WRITES, egress: door });
    await expect(failed).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(seen).toHaveLength(1);
    await door.close();
  });

  it('that carried nothing out leave a write to be sent again', async () => {
    answers = [
      status(307, { location: '/here' }),
      status(429),
      status(307, { location: '/here' }),
      status(201),
    ];
    const raw = await run({ invocation: { method: 'POST' }, operation: WRITES });
    expect(raw).toMatchObject({ status: 201, attempts: 2 });
    expect(raw).not.toHaveProperty('unknownOutcome');
  });

  it.each<[string, number, string, string]>([
    [
      'its path with a slash',
      301,
      '/things/',
      'corrects the path in the document: the service has it as /things/.',
    ],
    ['another path', 301, '/v2/things?key=s3cret', 'the service has it as /v2/things.'],
  ])(
    'that make a GET of a POST whose place has moved say that it was lost: %s',
    async (_, code, location, words) => {
      const post = { method: 'POST', path: '/things', accept: ['application/json'] };
      const lost = 'The service answered the POST with a redirect (301) to ';
      answers = [status(code, { location }), status(200, { 'content-type': 'application/json' })];
      const { warnings = [] } = (await run({ invocation: post, operation: WRITES })) as HttpAnswer;
      expect(warnings).toEqual([expect.stringContaining(lost)]);
      expect(warnings[0]).toContain('the POST was most likely not carried out');
      expect(warnings[0]).toContain(words);
      answers = [status(code, { location }), status(405)];
      expect(await run({ invocation: post, operation: WRITES })).toMatchObject({
        status: 405,
        advice: { text: expect.stringContaining(lost), next: expect.stringContaining(words) },
      });
    },
  );

  it('to the same path of another origin lose a POST, too', async () => {
    const other = createServer((_, response) => response.end('[]'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://127.0.0.1:${(other.address() as { port: number }).port}`;
    const door = createEgress({ allow: [origin, elsewhere] });
    answers = [status(302, { location: `${elsewhere}/things` })];
    const post = { method: 'POST', path: '/things' };
    expect(await run({ invocation: post, operation: WRITES, egress: door })).toMatchObject({
      warnings: [expect.stringContaining(`names ${elsewhere} by \`baseUrl\``)],
    });
    await door.close();
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  });

  it.each<[number, string, string]>([
    [303, 'POST', '/things/'],
    [302, 'POST', '/things'],
    [302, 'POST', '/things/7'],
    [308, 'POST', '/things/'],
    [301, 'GET', '/things/'],
  ])('%d of a %s to %s loses nothing', async (code, method, location) => {
    answers = [status(code, { location }), status(200, { 'content-type': 'application/json' })];
    expect(await run({ invocation: { method, path: '/things' } })).not.toHaveProperty('warnings');
  });

  it('to where nothing is say the error that their address names', async () => {
    answers = [status(302, { location: '/gone?error=INVALID_TOKEN' }), status(404)];
    expect(await run({})).toMatchObject({
      redirectedTo: '/gone',
      advice: {
        text: 'The redirect names the error INVALID_TOKEN.',
        next: expect.stringMatching(/^Correct what the error names\./),
      },
    });
  });

  it.each(['error=', 'error=false', 'error=0', 'failed=x', 'error=%20'])(
    'whose address says nothing of an error: %s',
    async (query) => {
      answers = [status(302, { location: `/gone?${query}` }), status(404)];
      expect(await run({})).not.toHaveProperty('advice');
    },
  );

  it('that repeat what was asked for name no error', async () => {
    answers = [status(302, { location: '/gone?error=500' }), status(404)];
    const query: Partial<HttpInvocation> = {
      bindings: [{ in: 'query', name: 'error', const: '500', style: 'form', explode: true }],
    };
    expect(await run({ invocation: query })).not.toHaveProperty('advice');
  });

  it.each<[string, Answer[], readonly string[]]>([
    ['a page that the document names', [status(302, { location: '/view' }), page], ['text/html']],
    ['what is no page', [status(302, { location: '/file' }), status(200)], ['application/json']],
  ])('to %s need no warning', async (_what, given, accept) => {
    answers = given;
    expect(await run({ invocation: { accept } })).not.toHaveProperty('warnings');
  });

  describe('to a page to sign in at', () => {
    const led = [status(302, { location: '/login' }), page, status(200)];
    const asked = { ...bearer, accept: ['application/json'] };
    const connection = { credentials: { login: { url: '/login', form: {} } } };

    it('have a read renew what it is signed in by, once', async () => {
      answers = [...led];
      const raw = await run({ connection, invocation: asked, credentials: tokens(['old', 'new']) });
      expect(raw).toMatchObject({ status: 200, attempts: 2 });
      expect(raw).not.toHaveProperty('warnings');
      expect(seen.map(({ headers, url }) => [headers.authorization, url])).toEqual([
        ['Bearer old', expect.anything()],
        ['Bearer old', '/login'],
        ['Bearer new', expect.anything()],
      ]);
    });

    it.each<[string, Run]>([
      ['a write, which may have happened', { connection, operation: { access: 'write' }, invocation: asked }],
      ['a credential that no login gave', { invocation: asked }],
      ['what nobody signs in for', {}],
    ])('are no answer, and nothing is sent again: %s', async (_what, given) => {
      answers = [...led];
      await expect(run({ credentials: tokens(['old', 'new']), ...given })).rejects.toMatchObject({
        code: 'credentials_refused',
        message: expect.stringContaining(' was redirected to /login, a page to sign in at'),
        details: { redirectedTo: '/login' },
      });
      expect(seen).toHaveLength(2);
    });

    it('are no answer a second time', async () => {
      answers = [led[0]!, page, led[0]!, page];
      const refused = run({ connection, invocation: asked, credentials: tokens(['old', 'new', 'newer']) });
      await expect(refused).rejects.toMatchObject({ code: 'credentials_refused' });
      expect(seen).toHaveLength(4);
    });

    it.each<[string, string, Run]>([
      ['of a write', 'Most likely nothing was done; check that before', { operation: { access: 'write' } }],
      [
        'of a write that has a login',
        'The next call signs in anew.',
        { connection, operation: { access: 'write' } },
      ],
      ['of the operator', 'The operator checks the credential', {}],
      ['of a user', 'Connect your account again.', { connection: { accountOwner: 'user' } }],
      ['of an organisation', 'An admin connects', { connection: { accountOwner: 'organisation' } }],
    ])('say what to do: %s', async (_what, next, given) => {
      answers = [...led];
      const refused = run({ invocation: asked, credentials: tokens(['old', 'new']), ...given });
      await expect(refused).rejects.toMatchObject({ next: expect.stringContaining(next) });
    });

    it('have the call after a write renew it', async () => {
      answers = [...led];
      const credentials = tokens(['old', 'new']);
      const write: Run = { operation: { access: 'write' }, invocation: asked };
      await expect(run({ connection, credentials, ...write })).rejects.toThrow();
      await run({ connection, credentials, invocation: asked });
      expect(seen.map(({ headers }) => headers.authorization)).toEqual([
        'Bearer old',
        'Bearer old',
        'Bearer new',
      ]);
    });
  });

  it('that add a slash are none', async () => {
    answers = [status(301, { location: '/pets/' }), page];
    expect(await run({ invocation: { path: '/pets' } })).not.toHaveProperty('redirectedTo');
  });
});

describe('credentials', () => {
  it('go only where the operation asks for them', async () => {
    await run({});
    await run({ invocation: bearer });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer t1']);
  });

  it.each(['GET', 'POST'])('are renewed once after a 401, for %s too', async (method) => {
    answers = [status(401), status(200)];
    const raw = await run({
      invocation: { ...bearer, method },
      operation: { access: 'write' },
      credentials: tokens(['old', 'new', 'newer']),
    });
    expect(raw).toMatchObject({ kind: 'http', status: 200, attempts: 2 });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  });

  it.each([
    [[500, 401, 404], true],
    [[401, 404], false],
    [[500, 401, 204], false],
  ])('renewed amid the attempts of a write forget none of them: %j', async (statuses, isUnknown) => {
    answers = statuses.map((one) => status(one));
    const raw = await run({
      invocation: { ...bearer, method: 'DELETE' },
      operation: { access: 'write' },
      credentials: tokens(['old', 'new']),
    });
    expect(raw).toMatchObject({ status: statuses.at(-1), attempts: statuses.length });
    expect('unknownOutcome' in raw).toBe(isUnknown);
  });

  it('a second 401 is the answer', async () => {
    answers = [status(401)];
    expect(await run({ invocation: bearer, credentials: tokens(['a', 'b', 'c']) })).toMatchObject({
      status: 401,
      attempts: 2,
    });
  });

  it.each([
    ['once', ['a'], 1],
    ['twice', ['a', 'b'], 2],
  ] as const)("of somebody's account are told as such, refused %s", async (_, list, attempts) => {
    answers = [status(401)];
    const connection = { accountOwner: 'user' } as const;
    const raw = await run({ invocation: bearer, connection, credentials: tokens(list) });
    expect(raw).toMatchObject({ status: 401, attempts, accountOwner: 'user' });
  });

  it.each<[string, Run, boolean]>([
    ['none is asked for', {}, true],
    ['none is configured', { invocation: bearer, credentials: tokensOfNobody }, true],
    ['one was sent', { invocation: bearer }, false],
    ['headers of the source carry one', { connection: { headers: { 'x-api-key': 'k' } } }, false],
  ])('a refusal says whether any was sent: %s', async (_, options, isAnonymous) => {
    answers = [status(401)];
    const raw = await run(options);
    expect('anonymous' in raw).toBe(isAnonymous);
  });

  it.each<[string, Run]>([
    ['there is no other', { invocation: bearer, credentials: tokens(['a']) }],
    ['none was sent', { credentials: tokens(['a', 'b']) }],
  ])('a 401 is not repeated where %s', async (_, options) => {
    answers = [status(401)];
    expect(await run(options)).toMatchObject({ status: 401, attempts: 1 });
  });
});

describe('an answer by which a session ends', () => {
  const ended = (list: readonly string[], ...statuses: number[]): CredentialProvider => ({
    ...tokens(list),
    saysEnded: (answer) => statuses.includes(answer.status),
  });

  it.each<[string, number[], Partial<Operation>, number[]]>([
    ['a read, by any status', [200, 201], { access: 'read' }, [200, 201]],
    ['a read, by a status that is otherwise repeated', [503, 200], { access: 'read' }, [503, 200]],
    ['a write, by a refusal', [440, 200], WRITES, [440, 200]],
    ['not a write, by a success', [200, 201], WRITES, [200]],
    ['not a write, by a failure', [500, 201], WRITES, [500]],
    ['nor one that may be repeated', [500, 201], { access: 'write' }, [500]],
    ['nor a read with an effect each time', [200, 201], { limits: { repeat: false } }, [200]],
    ['but that by a refusal', [440, 201], { limits: { repeat: false } }, [440, 201]],
    ['once', [440, 440], { access: 'read' }, [440, 440]],
  ])('renews once, and repeats %s', async (_, given, operation, asked) => {
    answers = given.map((one) => status(one));
    const credentials = ended(['old', 'new', 'newer'], given[0]!);
    const raw = await run({ invocation: bearer, operation, credentials });
    expect(raw).toMatchObject({ status: asked.at(-1), attempts: asked.length });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(
      ['Bearer old', 'Bearer new'].slice(0, asked.length),
    );
    await run({ invocation: bearer, credentials: { ...credentials, saysEnded: () => false } });
    expect(seen.at(-1)?.headers.authorization).toBe('Bearer new');
  });

  it('does not repeat a write that was redirected', async () => {
    answers = [status(303, { location: '/done' }), status(440), status(201)];
    const invocation = { ...bearer, method: 'POST' };
    const raw = await run({ invocation, operation: WRITES, credentials: ended(['old', 'new'], 440) });
    expect(raw).toMatchObject({ status: 440, attempts: 1, unknownOutcome: true, renewed: true });
  });

  it('does not repeat what is given a password', async () => {
    answers = [status(200), status(201)];
    const operation: Partial<Operation> = {
      input: { type: 'object', properties: { current_password: { type: 'string' } } },
    };
    const invocation = { ...bearer, method: 'POST' };
    const raw = await run({ invocation, operation, credentials: ended(['old', 'new'], 200) });
    expect(raw).toMatchObject({ status: 200, attempts: 1, sessionEnded: true });
  });

  it('is none of a call that nobody signs in for', async () => {
    answers = [status(440), status(200)];
    expect(await run({ credentials: ended(['old', 'new'], 440) })).toMatchObject({
      status: 440,
      attempts: 1,
    });
  });

  it.each<[string, Partial<Operation>, readonly string[], string]>([
    ['a read', {}, ['old'], 'over. The service refuses the credential: the operator checks'],
    ['a write', WRITES, ['old'], 'check its effect before you try again. The service refuses'],
    ['a write whose next call has another', WRITES, ['old', 'new'], 'again. The next call signs in anew.'],
  ])('is told beside a success: %s', async (_, operation, list, words) => {
    answers = [status(200)];
    const raw = await run({ invocation: bearer, operation, credentials: ended(list, 200) });
    expect(raw).toMatchObject({ warnings: [expect.stringContaining(words)] });
  });

  it('is no complaint about a body', async () => {
    answers = [status(400)];
    const invocation: Partial<HttpInvocation> = { ...bearer, method: 'POST' };
    expect(await run({ invocation, credentials: ended(['old'], 400) })).not.toHaveProperty('advice');
    expect(await run({ invocation, credentials: ended(['old']) })).toHaveProperty('advice');
  });
});

describe('a 401 at an operation that is given a password', () => {
  const operation: Partial<Operation> = {
    access: 'write',
    input: { type: 'object', properties: { current_password: { type: 'string' } } },
  };

  it('is not repeated, since accounts are locked by that; the next call has a fresh credential', async () => {
    answers = [status(401), status(204)];
    const options = {
      invocation: { ...bearer, method: 'POST' },
      operation,
      credentials: tokens(['a', 'b', 'c']),
    };
    expect(await run(options)).toMatchObject({ status: 401, attempts: 1, renewed: true });
    expect(await run(options)).toMatchObject({ status: 204 });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer a', 'Bearer b']);
  });

  it('says nothing of a fresh credential where there is none', async () => {
    answers = [status(401)];
    const raw = await run({ invocation: { ...bearer, method: 'POST' }, operation });
    expect(raw).not.toHaveProperty('renewed');
  });
});

describe('a body that was not sent', () => {
  const bodyOf = (required: boolean, ...names: string[]): Partial<HttpInvocation> => ({
    method: 'POST',
    body: { contentType: 'application/json', required },
    bindings: names.map((name) => ({ in: 'body', arg: name, name, contentType: 'application/json' })),
  });

  it.each<[string, number, Partial<HttpInvocation>, string | undefined]>([
    [
      'with what makes one',
      400,
      bodyOf(false, 'a', 'b', 'c', 'd'),
      'No body was sent, since none of its arguments was given: any of them makes one (a, b, c, …).',
    ],
    ['with its one argument', 415, bodyOf(false, 'body'), 'No body was sent, since body was not given.'],
    [
      'by what fell over it',
      500,
      bodyOf(false, 'a', 'b'),
      'No body was sent, since none of its arguments was given: any of them makes one (a, b).',
    ],
    [
      'by what fell over one that none describes',
      500,
      { method: 'POST' },
      'No body was sent, since none is described.',
    ],
    ['not where the answer is about something else', 404, bodyOf(false, 'a'), undefined],
    ['not where nobody read one', 503, { method: 'POST' }, undefined],
    ['not where one was sent', 400, bodyOf(true, 'a'), undefined],
    ['where none is described', 415, { method: 'POST' }, 'No body was sent, since none is described.'],
    ['where no argument is described', 400, { method: 'POST' }, 'No body was sent, since none is described.'],
    [
      'not where another argument may be refused',
      400,
      { method: 'POST', bindings: [{ in: 'query', arg: 'a', name: 'a', style: 'form', explode: true }] },
      undefined,
    ],
    ['not of what reads', 400, { ...bodyOf(false, 'a'), method: 'GET' }, undefined],
  ])('is told of a refusal, %s', async (_case, code, invocation, text) => {
    answers = [status(code)];
    const raw = await run({ invocation });
    expect('advice' in raw ? raw.advice?.text : undefined).toBe(text);
  });

  it.each<[string, number, Partial<HttpInvocation>, RegExp | undefined]>([
    ['an empty one does', 415, bodyOf(false, 'body'), /^The service wants a body, if only an empty one: /],
    ['the operator describes it', 415, { method: 'POST' }, /overlay/],
    ['the operator describes what is missing', 400, { method: 'POST' }, /overlay/],
    ['what the service names is corrected', 400, bodyOf(false, 'body'), undefined],
    ['what may have happened is looked at first', 500, bodyOf(false, 'body'), undefined],
    ['that first, too, where none is described', 500, { method: 'POST' }, undefined],
  ])('leads on: %s', async (_case, code, invocation, next) => {
    answers = [status(code)];
    const raw = await run({ invocation });
    const told = 'advice' in raw ? raw.advice?.next : undefined;
    if (next === undefined) expect(told).toBeUndefined();
    else expect(told).toMatch(next);
  });
});

describe('retries', () => {
  it('repeat what reads', async () => {
    answers = [status(503), status(200)];
    expect(await run({})).toMatchObject({ status: 200, attempts: 2 });
  });

  const write = {
    access: 'write',
    safety: { network: true, file: false, destructive: false, idempotent: false, openWorld: true },
  } as const;

  it('never repeat a write that may have happened', async () => {
    answers = [status(503), status(200)];
    const raw = await run({ invocation: { method: 'POST' }, operation: write });
    expect(raw).toMatchObject({ status: 503, attempts: 1, unknownOutcome: true });
    expect(seen).toHaveLength(1);
  });

  it('never repeat a GET that writes', async () => {
    answers = [status(503), status(200)];
    expect(await run({ operation: write })).toMatchObject({ status: 503, attempts: 1 });
  });

  it.each<[string, Partial<Operation>]>([
    ['reading', { access: 'read' }],
    ['a write that its method makes repeatable', { access: 'write' }],
  ])(
    '%s that says it has an effect each time is not sent again once it may have arrived',
    async (_, what) => {
      answers = [status(503), status(200)];
      const once = { ...what, limits: { repeat: false } } as const;
      expect(await run({ invocation: { method: 'PUT' }, operation: once })).toMatchObject({
        status: 503,
        attempts: 1,
        unknownOutcome: true,
      });
      answers = [status(429, { 'retry-after': '0' }), status(200)];
      expect(await run({ operation: once })).toMatchObject({ status: 200, attempts: 2 });
    },
  );

  it('no key makes repeatable what has an effect each time', async () => {
    answers = [status(503), status(200)];
    const invocation = {
      method: 'POST',
      bindings: [{ in: 'header', name: 'Idempotency-Key', arg: 'key' }],
    } as const;
    const operation = { ...write, limits: { repeat: false } } as const;
    expect(await run({ invocation, operation, args: { key: 'k' } })).toMatchObject({ attempts: 1 });
  });

  it('repeat a write with an idempotency key', async () => {
    answers = [status(503), status(200)];
    const invocation = {
      method: 'POST',
      bindings: [{ in: 'header', name: 'Idempotency-Key', arg: 'key' }],
    } as const;
    expect(await run({ invocation, operation: write, args: { key: 'k' } })).toMatchObject({
      status: 200,
      attempts: 2,
    });
  });
});

describe('limits', () => {
  it('a deadline ends a read as deadline_exceeded, a sent write as outcome_unknown', async () => {
    answers = [() => {}];
    await expect(run({ timeoutMs: 600 })).rejects.toMatchObject({ code: 'deadline_exceeded' });
    const write = {
      access: 'write',
      safety: { network: true, file: false, destructive: false, idempotent: false, openWorld: true },
    } as const;
    await expect(
      run({ timeoutMs: 600, invocation: { method: 'POST' }, operation: write }),
    ).rejects.toMatchObject({ code: 'outcome_unknown' });
  });

  it('the caller ends a call', async () => {
    const controller = new AbortController();
    answers = [() => controller.abort()];
    await expect(run({ signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('an operation may lower the bytes of an answer, not raise them', async () => {
    answers = [(_, response) => response.end('x'.repeat(5000))];
    await expect(run({ operation: { limits: { maxOutputBytes: 1000 } } })).rejects.toMatchObject({
      code: 'upstream_too_large',
      next: expect.stringContaining('`limits.maxBytes` of the source'),
    });
    const limits = { ...connectionOf().limits, maxBytes: 1000 };
    await expect(
      run({ operation: { limits: { maxOutputBytes: 10_000 } }, connection: { limits } }),
    ).rejects.toMatchObject({ code: 'upstream_too_large' });
  });
});

describe('a dry run', () => {
  const credentials: CredentialProvider = {
    authorize: async () => expect.fail('a token was asked for'),
    plan: async (request) => ({
      ...request,
      url: `${request.url}&key=s3cret`,
      headers: [
        ...request.headers.filter(([name]) => name !== 'cookie'),
        ['cookie', 'color=blue; session=s3cret'],
        ['Authorization', 'Bearer s3cret'],
      ],
      credentialHeaders: ['authorization', 'cookie'],
    }),
    refused: () => false,
  };

  it('shows the request without secrets and sends nothing', async () => {
    const raw = await run({
      dryRun: true,
      credentials,
      invocation: {
        method: 'PUT',
        path: '/x',
        bindings: [
          { in: 'query', name: 'q', arg: 'q' },
          { in: 'cookie', name: 'color', arg: 'color' },
          { in: 'body', name: 'a', arg: 'a', contentType: 'application/json' },
        ],
        body: { contentType: 'application/json', required: true },
      },
      connection: { headers: { 'X-Api-Token': 's3cret', 'X-Tenant': 'acme' } },
      args: { q: 'key', color: 'blue', a: 1 },
    });
    expect(seen).toEqual([]);
    expect(JSON.stringify(raw)).not.toContain('s3cret');
    expect(raw).toEqual({
      kind: 'request',
      request: {
        method: 'PUT',
        url: `${origin}/x?q=key&key=••••`,
        headers: [
          ['X-Api-Token', '••••'],
          ['X-Tenant', 'acme'],
          ['accept', 'application/json, */*;q=0.5'],
          ['content-type', 'application/json'],
          ['cookie', 'color=blue; session=••••'],
          ['Authorization', '••••'],
        ],
        body: '{"a":1}',
      },
    });
  });
});

it('a dry run shows the base URL without the keys in its query', async () => {
  const baseUrl = `${origin}/v1?api-version=2&code=Zx81key-of-the-function-4711&sig=a%2Bb`;
  const raw = await run({
    dryRun: true,
    invocation: { path: '/x', bindings: [{ in: 'query', name: 'sig', arg: 'sig' }] },
    connection: { baseUrl },
    args: { sig: 'mine' },
  });
  expect(raw).toMatchObject({
    request: { url: `${origin}/v1/x?api-version=2&code=••••&sig=••••` },
  });
});

it('a destination within the process learns who calls, one level deeper', async () => {
  const contexts: unknown[] = [];
  const inside = createEgress({
    local: {
      'http://self.internal': async (_, outgoing) => {
        contexts.push(outgoing.context);
        return new Response('{}');
      },
    },
  });
  try {
    await run({ egress: inside, connection: { baseUrl: 'http://self.internal' } });
  } finally {
    await inside.close();
  }
  expect(contexts).toEqual([{ principal: LOCAL_PRINCIPAL, source: 'shop', depth: 1 }]);
});
