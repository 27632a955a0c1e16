import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ARM_LIMITS, type ArmClient, createArmClient } from '../../src/connectors/arm-client.ts';
import { armPaths } from '../../src/connectors/arm-paths.ts';
import { listAll } from '../../src/connectors/list-pages.ts';
import { createEgress, type Egress } from '../../src/egress/index.ts';
import { ToolcribError } from '../../src/errors.ts';
import type { Answer, LoopbackService } from '../doubles/loopback-service.ts';
import { startLoopbackService } from '../doubles/loopback-service.ts';
import { type ManualClock, manualClock } from './support/manual-clock.ts';
import { never, RETRY, settingsFor, TOKEN, tokensOf } from './support/open-room.ts';
import { armError, CONNECTIONS } from './support/small-arm.ts';

let service: LoopbackService;
let egress: Egress;
let client: ArmClient;
let clock: ManualClock;
let answers: Answer[] = [];

const LIST = { method: 'GET', path: '/subscriptions/s/things' } as const;
const PURPOSE = { what: 'list the things', action: 'Microsoft.Things/read' };
const page = (value: unknown[], nextLink?: string): Answer => ({
  status: 200,
  body: { value, ...(nextLink === undefined ? {} : { nextLink }) },
});

beforeEach(async () => {
  answers = [];
  service = await startLoopbackService('', () => answers.shift() ?? { status: 200, body: { value: [] } });
  egress = createEgress({ allow: [new URL(service.url).host] });
  clock = manualClock();
  client = clientWith(tokensOf().tokens);
});

afterEach(async () => {
  await egress.close();
  await service.close();
});

function clientWith(tokens: ReturnType<typeof tokensOf>['tokens']): ArmClient {
  const userAgent = () => 'toolcrib/9';
  return createArmClient({
    settings: settingsFor(service.url),
    egress,
    tokens,
    clock,
    userAgent,
    retry: RETRY,
  });
}

async function failure(promise: Promise<unknown>): Promise<ToolcribError> {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(ToolcribError);
  return error as ToolcribError;
}

describe('a request', () => {
  it('has a version, a token, an agent and ids of its own', async () => {
    await client.send(LIST, ARM_LIMITS, never);
    await client.send(
      { ...LIST, apiVersion: '2018-07-01-preview', query: { $filter: 'a b' } },
      ARM_LIMITS,
      never,
    );
    const [first, second] = service.requests;
    expect(first!.target).toBe('/subscriptions/s/things?api-version=2016-06-01');
    expect(second!.target).toBe('/subscriptions/s/things?api-version=2018-07-01-preview&%24filter=a%20b');
    expect(first!.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'user-agent': 'toolcrib/9' });
    for (const header of ['x-ms-client-request-id', 'x-ms-correlation-request-id']) {
      expect(first!.headers[header]).toMatch(/^[0-9a-f-]{36}$/);
      expect(second!.headers[header]).not.toBe(first!.headers[header]);
    }
    expect(first!.headers['content-type']).toBeUndefined();
  });

  it('sends a body as JSON', async () => {
    await client.send({ method: 'POST', path: '/x', body: { a: 1 } }, ARM_LIMITS, never);
    expect(service.requests[0]!.headers['content-type']).toBe('application/json');
    expect(service.requests[0]!.body.toString()).toBe('{"a":1}');
  });

  it('follows no redirect: a token goes where it was meant to go', async () => {
    answers = [{ status: 302, headers: { location: `${service.url}/elsewhere` } }];
    const error = await failure(client.ask(LIST, PURPOSE, never));
    expect(error.code).toBe('upstream_failed');
    expect(service.requests).toHaveLength(1);
  });
});

describe('reads and writes', () => {
  it('repeats a read after 429 with Retry-After, and after a 503', async () => {
    answers = [
      { status: 429, headers: { 'retry-after': '0' }, body: {} },
      { status: 503, body: {} },
      page([1]),
    ];
    expect((await client.ask(LIST, PURPOSE, never)).status).toBe(200);
    expect(service.requests).toHaveLength(3);
  });

  it.each(['PUT', 'POST', 'DELETE'] as const)('never repeats a %s that may have happened', async (method) => {
    answers = [armError(500, 'InternalServerError', 'Half done.')];
    const error = await failure(client.ask({ method, path: '/x' }, { what: 'change it' }, never));
    expect(error.code).toBe('outcome_unknown');
    expect(service.requests).toHaveLength(1);
    service.answerNext('drop');
    expect((await failure(client.ask({ method, path: '/x' }, { what: 'change it' }, never))).code).toBe(
      'outcome_unknown',
    );
    expect(service.requests).toHaveLength(2);
  });

  it('repeats a write that Azure refused for its rate', async () => {
    answers = [
      { status: 429, headers: { 'retry-after': '0' }, body: {} },
      { status: 200, body: {} },
    ];
    await client.ask({ method: 'PUT', path: '/x', body: {} }, { what: 'put it' }, never);
    expect(service.requests).toHaveLength(2);
  });

  it('gives up where Azure asks for more time than a caller has', async () => {
    answers = [{ ...armError(429, 'TooManyRequests', 'Slow down.'), headers: { 'retry-after': '90' } }];
    const error = await failure(client.ask(LIST, PURPOSE, never));
    expect(error).toMatchObject({ code: 'upstream_status', status: 429, details: { retryAfterSeconds: 90 } });
    expect(service.requests).toHaveLength(1);
    expect(client.restMs()).toBe(90_000);
    clock.advance(90_000);
    expect(client.restMs()).toBe(0);
  });

  it('rests where no more reads are left, without failing anybody', async () => {
    answers = [{ ...page([]), headers: { 'x-ms-ratelimit-remaining-subscription-reads': '0' } }];
    await client.ask(LIST, PURPOSE, never);
    expect(client.restMs()).toBeGreaterThan(0);
    answers = [{ ...page([]), headers: { 'x-ms-ratelimit-remaining-subscription-writes': '0' } }];
    clock.advance(60_000);
    await client.ask(LIST, PURPOSE, never);
    expect(client.restMs()).toBe(0);
  });
});

describe('a 401', () => {
  it('of ARM is tried again with another token, once', async () => {
    const { tokens, refused } = tokensOf([
      'one-token-0123456789',
      'two-token-0123456789',
      'three-token-01234',
    ]);
    answers = [
      armError(401, 'ExpiredAuthenticationToken', 'Old.'),
      armError(401, 'InvalidAuthenticationToken', 'Bad.'),
    ];
    const error = await failure(clientWith(tokens).ask(LIST, PURPOSE, never));
    expect(service.requests.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer one-token-0123456789',
      'Bearer two-token-0123456789',
    ]);
    expect(refused).toEqual(['one-token-0123456789']);
    expect(error).toMatchObject({ status: 401, next: expect.stringMatching(/^Sign in again/) });
  });

  it('of a connector is its own', async () => {
    const { tokens, refused } = tokensOf(['one-token-0123456789', 'two-token-0123456789']);
    answers = [armError(401, 'Unauthenticated', 'This connection is not authenticated.')];
    const request = { method: 'POST', path: `${CONNECTIONS}/mail/dynamicInvoke`, body: {} } as const;
    expect((await clientWith(tokens).send(request, ARM_LIMITS, never)).status).toBe(401);
    expect(refused).toEqual([]);
    answers = [armError(401, 'ExpiredAuthenticationToken', 'Old.')];
    expect((await clientWith(tokens).send(request, ARM_LIMITS, never)).status).toBe(200);
  });
});

describe('an answer', () => {
  it('never has the token in it', async () => {
    answers = [{ status: 200, headers: { 'x-echo': TOKEN }, body: { value: [`Bearer ${TOKEN}`] } }];
    const answer = await client.send(LIST, ARM_LIMITS, never);
    expect(JSON.stringify(answer.headers) + Buffer.from(answer.body).toString()).not.toContain(TOKEN);
  });

  it.each([
    [403, 'AuthorizationFailed', /allows Microsoft\.Things\/read/],
    [404, 'SubscriptionNotFound', /Check the subscription 11111111-/],
    [404, 'ResourceGroupNotFound', /resource group rg-one/],
    [400, 'LocationNotAvailableForResourceType', /managed APIs of westus/],
    [401, 'ExpiredAuthenticationToken', /^Sign in again/],
    [429, 'TooManyRequests', /call again in a minute/],
    [409, 'MissingSubscriptionRegistration', /Microsoft\.Web/],
    [404, 'ApiNotFound', /list_managed_apis/],
    [504, 'GatewayTimeout', /Call again later/],
    [400, 'InvalidRequestContent', /correct the call/],
  ])('%i %s says what to do', async (status, code, next) => {
    answers = Array.from({ length: 3 }, () => armError(status, code, 'Some reason.'));
    const error = await failure(client.ask(LIST, PURPOSE, never));
    expect(error.message).toBe(
      `Azure Resource Manager answered ${status} ${code} to "list the things": Some reason (request req-1).`,
    );
    expect(error.next).toMatch(next);
    expect(error.details).toMatchObject({ armCode: code, requestId: 'req-1' });
  });

  it.each([
    [{ error: { code: 502, source: 'gateway', message: 'Bad gateway.' } }, /400 502 to .*: Bad gateway\./],
    [{ statusCode: 404, message: 'Nothing.' }, /400 404 to .*: Nothing\./],
    ['<html>', /answered 400 to "list the things"\.$/],
    [[1], /answered 400 to "list the things"\.$/],
  ])('of another form is told as far as it can be read: %j', async (body, message) => {
    answers = [{ status: 400, body }];
    expect((await failure(client.ask(LIST, PURPOSE, never))).message).toMatch(message);
  });
});

describe('pages', () => {
  it('are followed at the same endpoint, with or without its port', async () => {
    answers = [page([1], `${service.url}/subscriptions/s/things?page=2`), page([2])];
    expect(await listAll(client, LIST, PURPOSE, never)).toEqual([1, 2]);
    expect(service.requests[1]!.target).toBe('/subscriptions/s/things?page=2');
  });

  it.each([
    'https://evil.example/next',
    'http://127.0.0.1:1/next',
    '//evil.example/x',
    'not a url',
    '/relative',
  ])('are not followed to %s', async (nextLink) => {
    answers = [page([1], nextLink)];
    const error = await failure(listAll(client, LIST, PURPOSE, never));
    expect(error).toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('not followed'),
    });
    expect(service.requests).toHaveLength(1);
  });

  it('that lead in a circle end', async () => {
    const link = `${service.url}/subscriptions/s/things?page=2`;
    answers = [page([1], link), page([2], link), page([3], link)];
    expect((await failure(listAll(client, LIST, PURPOSE, never))).message).toMatch(/come to no end/);
    expect(service.requests).toHaveLength(2);
  });

  it('without a list are a failure', async () => {
    answers = [{ status: 200, body: {} }];
    expect((await failure(listAll(client, LIST, PURPOSE, never))).message).toMatch(/has no list/);
  });
});

describe('paths', () => {
  const paths = armPaths(settingsFor('http://127.0.0.1:1'));
  it('keep every name in its segment', () => {
    expect(paths.invoke('my (mail)')).toBe(`${CONNECTIONS}/my%20%28mail%29/dynamicInvoke`);
    expect(paths.managedApi('shared_x', 'north')).toMatch(/\/locations\/north\/managedApis\/shared_x$/);
  });
  it.each([
    '..',
    '.',
    'a/b',
    'a\\b',
    '%2e%2e',
    '%252e%252e',
    'a%2fb',
    '',
    'a?b',
    'a#b',
    'a\u0000b',
    '\ud800',
  ])('refuse %j', (name) => {
    expect(() => paths.connection(name)).toThrow(/is no name of a connection/);
  });
});
