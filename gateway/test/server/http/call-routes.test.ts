import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERRORS } from '../../../src/errors.ts';
import { createGateway, type Gateway } from '../../../src/index.ts';
import type { CallStep } from '../../../src/operations/index.ts';
import type { CallStory } from '../../../src/server/http/routes/events/call-story.ts';
import { PERSON } from '../../approved-calls.ts';
import { teamGateway } from './team-gateway.ts';

/** Answers each request with the next of these statuses, the last one for ever. */
async function startService() {
  let statuses: readonly number[] = [200];
  const server = createServer((_request, response) => {
    const [status = 200, ...rest] = statuses;
    if (rest.length > 0) statuses = rest;
    response.writeHead(status, { 'content-type': 'application/json', 'x-secret': 'k' });
    response.end(JSON.stringify({ id: 7, note: 'the word of the service' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers(...next: readonly number[]) {
      statuses = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
const responses = { 200: { description: 'ok' } };
const DOCUMENT = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  security: [{ key: [] }],
  paths: {
    '/orders/{id}': {
      get: { operationId: 'getOrder', summary: 'One order.', parameters, responses },
      delete: { operationId: 'removeOrder', summary: 'Remove an order.', parameters, responses },
    },
  },
});

let folder = '';
let service: Awaited<ReturnType<typeof startService>>;
let gateway: Gateway;
let url = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-story-'));
  service = await startService();
  await writeFile(join(folder, 'orders.json'), DOCUMENT);
  gateway = await createGateway(
    {
      store: `sqlite:${join(folder, 'toolcrib.db')}`,
      stateDirectory: folder,
      cache: false,
      watch: false,
      sources: {
        orders: {
          openapi: 'orders.json',
          baseUrl: service.url,
          credentials: { bearer: { env: 'STORY_KEY' } },
        },
      },
    },
    { baseDirectory: folder },
  );
  process.env['STORY_KEY'] = 'key-of-the-orders-service';
  ({ url } = await gateway.listen({ port: 0 }));
});
afterEach(async () => {
  delete process.env['STORY_KEY'];
  await gateway.close();
  await service.close();
  await rm(folder, { recursive: true });
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
const get = async (path: string): Promise<readonly [number, any]> => {
  const response = await fetch(new URL(path, url));
  return [response.status, await response.json()];
};
const post = (path: string, body: unknown) =>
  fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const call = (tool: string, args: object) => post(`/api/v1/tools/orders_${tool}/call`, { arguments: args });

async function lastStory(): Promise<CallStory> {
  const [, { events }] = await get('/api/v1/events?type=call-started');
  const [status, story] = await get(`/api/v1/calls/${events.at(-1).call}`);
  expect(status).toBe(200);
  return story;
}
const named = (steps: readonly CallStep[], name: string) => steps.filter((step) => step.name === name);

describe('who asks in the wrong way', () => {
  const refusal = async (path: string) => {
    const answer = await fetch(new URL(path, url));
    return [answer.status, await answer.json()];
  };

  it('is told what the request takes', async () => {
    expect(await refusal('/api/v1/search?query=orders')).toMatchObject([
      400,
      {
        error: {
          message: expect.stringMatching(/Unknown key "query"\. It takes q, .*\.$/),
          pointer: '/query',
        },
      },
    ]);
  });

  it('is told that a gateway of one owner has no organisations, and how it gets some', async () => {
    expect(await refusal('/api/v1/orgs')).toMatchObject([
      404,
      {
        error: {
          message: 'This gateway keeps no organisations: its `auth.mode` is local, which has one owner.',
          next: expect.stringContaining('auth: { mode: team }'),
        },
      },
    ]);
  });
});

const send = (arguments_: string) =>
  fetch(new URL('/api/v1/tools/orders_getOrder/call', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"arguments":${arguments_},"dryRun":true}`,
  });

describe('a member called __proto__', () => {
  it.each([
    ['{"id":1,"__proto__":{"admin":true}}', '/arguments/__proto__'],
    ['{"__proto__":1}', '/arguments/__proto__'],
  ])('is refused by name where it would be lost: %s', async (given, pointer) => {
    const refused = await send(given);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { code: 'request_invalid', message: expect.stringContaining('"__proto__"'), pointer } },
    ]);
  });

  it('is data like any other within an argument, and judged as such', async () => {
    const judged = await send('{"id":{"__proto__":{"a":1}}}');
    expect(await judged.json()).toMatchObject({ error: { code: 'arguments_invalid' } });
  });
});

it('says of a failed call, too, that strangers wrote its answer', async () => {
  service.answers(404);
  const answer = await call('getOrder', { id: 7 });
  expect([answer.status, await answer.json()]).toMatchObject([
    502,
    {
      error: { code: 'upstream_status' },
      meta: { 'toolcrib/untrusted': { untrusted: true, source: 'orders' } },
    },
  ]);
});

describe('a whole number beyond 2^53', () => {
  it('arrives exactly or is refused by name, never as another one', async () => {
    const refused = await send('{"id":9007199254740993}');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: {
        code: 'request_invalid',
        message: expect.stringContaining('9007199254740993 would lose digits'),
      },
    });
    const taken = await send('{"id":9007199254740992}');
    expect(taken.status).toBe(200);
    expect(JSON.stringify(await taken.json())).toContain('/orders/9007199254740992');
  });

  it('is no matter in a text', async () => {
    const answer = await send('{"id":"9007199254740993"}');
    expect(await answer.json()).toMatchObject({ error: { code: 'arguments_invalid' } });
  });
});

describe('the story of a call', () => {
  it('has who called what, every layer in order, and the request that was made', async () => {
    await call('getOrder', { id: 7 });
    const story = await lastStory();
    expect(story).toMatchObject({
      state: 'completed',
      tool: 'orders_getOrder',
      operation: 'getOrder',
      source: 'orders',
      access: 'read',
      principal: 'local',
      input: { id: 7 },
      status: 200,
    });
    expect(story.durationMs).toBeGreaterThan(0);
    expect(
      story.steps.map(({ name }) => name).filter((name) => name !== 'limit' && name !== 'normalise'),
    ).toEqual([
      'authorise',
      'shape',
      'advise',
      'validate arguments',
      'taint',
      'approve',
      'budget',
      'validate output',
      'deadline',
      'execute',
      'credentials',
      'attempt',
    ]);
    expect(named(story.steps, 'credentials')[0]!.detail).toEqual({ kind: 'bearer' });
    expect(named(story.steps, 'attempt')[0]).toMatchObject({
      outcome: 'answered',
      detail: { attempt: 1, status: 200 },
    });
    expect(story.events.map(({ type }) => type)).toEqual(['call-started', 'call-completed']);
  });

  it('holds each attempt, why it was made and how long was waited before it; nothing of the service', async () => {
    service.answers(503, 503, 200);
    await call('getOrder', { id: 7 });
    const { steps } = await lastStory();
    const attempts = named(steps, 'attempt');
    expect(attempts.map(({ detail }) => detail)).toEqual([
      { attempt: 1, status: 503 },
      { attempt: 2, status: 503, waitedMs: expect.any(Number), because: 'status 503' },
      { attempt: 3, status: 200, waitedMs: expect.any(Number), because: 'status 503' },
    ]);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'answered']);
    expect(JSON.stringify(steps)).not.toMatch(/word of the service|key-of-the-orders/);
  });

  it('of a failure says code, message and what to do next, in the event too', async () => {
    service.answers(404);
    await call('getOrder', { id: 7 });
    const { state, error, steps, events } = await lastStory();
    expect([state, error?.code]).toEqual(['failed', 'upstream_status']);
    expect(error?.next).toBeTruthy();
    expect(events.at(-1)).toMatchObject({ code: 'upstream_status', next: error!.next });
    expect(named(steps, 'execute')[0]).toMatchObject({
      outcome: 'failed',
      detail: { code: 'upstream_status' },
    });
  });

  it('of a refusal ends with the layer that refused', async () => {
    await call('getOrder', { id: 'seven' });
    const { error, steps } = await lastStory();
    expect(error).toMatchObject({ code: 'arguments_invalid', next: ERRORS.arguments_invalid.next });
    expect(steps.at(-1)).toMatchObject({
      name: 'validate arguments',
      outcome: 'refused',
      detail: { code: 'arguments_invalid' },
    });
  });

  it('names the approval that was asked for, with its events', async () => {
    await call('removeOrder', { id: 7 });
    const { state, approval, error, steps, events } = await lastStory();
    expect(state).toBe('asked');
    expect(error?.code).toBe('approval_required');
    expect(approval).toMatch(/^[0-9a-f]{32}$/);
    expect(steps.at(-1)).toMatchObject({ name: 'approve', outcome: 'refused', detail: { approval } });
    expect(events.map(({ type }) => type)).toEqual(['call-started', 'approval-requested', 'call-failed']);
  });

  it('waits while a person is asked, and then has how long that took', async () => {
    const asked = Promise.withResolvers<{ readonly call: string; readonly approval: string }>();
    const stop = gateway.onEvent((event) => {
      if (event.type === 'approval-requested') asked.resolve(event as never);
    });
    const answer = post('/api/v1/tools/orders_removeOrder/call', { arguments: { id: 7 }, wait: 60_000 });
    const { call: id, approval } = await asked.promise;
    stop();
    expect((await get(`/api/v1/calls/${id}`))[1]).toMatchObject({ state: 'waiting', approval, steps: [] });
    await (await gateway.approvals()).decide(approval, { decision: 'approve' }, PERSON);
    expect((await answer).status).toBe(200);
    const { steps, events, state } = await lastStory();
    expect(state).toBe('completed');
    expect(named(steps, 'record')).toHaveLength(1);
    const person = named(steps, 'person')[0]!;
    expect(person).toMatchObject({ outcome: 'answered', detail: { approval, state: 'approved' } });
    const approve = named(steps, 'approve')[0]!;
    expect(approve.outcome).toBe('passed');
    expect(approve.durationMs).toBeGreaterThanOrEqual(person.durationMs);
    expect(events.map(({ type }) => type)).toEqual([
      'call-started',
      'approval-requested',
      'approval-decided',
      'approval-used',
      'call-completed',
    ]);
  });

  it('says what was carried out where a person changed the arguments, and the approval by which call', async () => {
    await call('removeOrder', { id: 7 });
    const { approval } = await lastStory();
    const approvals = await gateway.approvals();
    await approvals.decide(approval!, { decision: 'edit', arguments: { id: 8 } }, PERSON);
    await call('removeOrder', { id: 7 });
    const { call: id, state, input, edited, events } = await lastStory();
    expect({ state, input, edited }).toEqual({ state: 'completed', input: { id: 7 }, edited: { id: 8 } });
    expect(events.at(-1)).toMatchObject({ type: 'call-completed', input: { id: 8 } });
    const [, shown] = await get(`/api/v1/approvals/${approval}`);
    expect(shown).toMatchObject({ state: 'executed', usedBy: id });

    await call('getOrder', { id: 7 });
    expect(await lastStory()).not.toHaveProperty('edited');
  });

  it('is none for an unknown call', async () => {
    expect(await get('/api/v1/calls/ffff')).toMatchObject([404, { error: { code: 'not_found' } }]);
  });
});

describe('the list of events', () => {
  const sequences = async (query: string) => {
    const [status, { events, earlier }] = await get(`/api/v1/events?${query}`);
    expect(status).toBe(200);
    return { found: (events as { sequence: number }[]).map(({ sequence }) => sequence), earlier };
  };

  it('goes back page by page until there is nothing older', async () => {
    for (let n = 0; n < 3; n++) await call('getOrder', { id: n });
    const all = (await sequences('type=call-started,call-completed')).found;
    const seen: number[] = [];
    let before: number | undefined;
    for (;;) {
      const page = await sequences(
        `type=call-started,call-completed&limit=4${before === undefined ? '' : `&before=${before}`}`,
      );
      seen.unshift(...page.found);
      if (page.earlier === undefined) break;
      before = page.earlier;
    }
    expect(seen).toEqual(all);
    expect(all).toHaveLength(6);
  });

  it('finds by code, access, text and time', async () => {
    service.answers(404);
    await call('getOrder', { id: 1 });
    await call('removeOrder', { id: 1 });
    const [, { events }] = await get('/api/v1/events');
    const find = (wanted: object) =>
      (events as { sequence: number }[]).filter((event) => {
        try {
          expect(event).toMatchObject(wanted);
          return true;
        } catch {
          return false;
        }
      });
    const of = (found: { sequence: number }[]) => found.map(({ sequence }) => sequence);
    expect((await sequences('code=upstream_status')).found).toEqual(of(find({ code: 'upstream_status' })));
    expect((await sequences('access=delete')).found).toEqual(of(find({ access: 'delete' })));
    expect((await sequences('q=REMOVEorder&type=call-failed')).found).toEqual(
      of(find({ tool: 'orders_removeOrder', type: 'call-failed' })),
    );
    expect((await sequences('q=%25')).found).toEqual([]);
    const last = (events as { time: string }[]).at(-1)!.time;
    expect((await sequences(`from=${last}`)).found.length).toBeGreaterThan(0);
    expect((await sequences('to=2020-01-01T00:00:00Z')).found).toEqual([]);
    expect((await get('/api/v1/events?from=yesterday'))[0]).toBe(400);
  });
});

describe('in a team', () => {
  it('an admin sees the calls of the organisation, a user the own ones, the operator all; others are unknown', async () => {
    const team = await teamGateway();
    try {
      const bob = await team.user('Bob');
      const eve = await team.user('Eve');
      const asBob = team.as(bob.key);
      await asBob('POST', '/api/v1/tools/greenhouse_list_candidates/call', { arguments: {} });
      const [, { events }] = await asBob('GET', '/api/v1/events?limit=1&type=call-completed,call-failed');
      const path = `/api/v1/calls/${events[0].call}`;
      const [status, story] = await asBob('GET', path);
      expect([status, story.principal]).toEqual([200, bob.id]);
      for (const allowed of [team.admin, team.operator]) expect((await allowed('GET', path))[0]).toBe(200);
      const hidden = await team.as(eve.key)('GET', path);
      const unknown = await team.as(eve.key)('GET', `/api/v1/calls/${'0'.repeat(32)}`);
      expect(hidden[0]).toBe(404);
      expect(JSON.stringify(hidden[1]).replace(events[0].call, '')).toBe(
        JSON.stringify(unknown[1]).replace('0'.repeat(32), ''),
      );
      expect((await team.as(undefined)('GET', path))[0]).toBe(401);
    } finally {
      await team[Symbol.asyncDispose]();
    }
  });

  it('an admin finds what was changed of somebody, by whom and when; others, and other organisations, nothing', async () => {
    const team = await teamGateway();
    try {
      const bob = await team.user('Bob');
      const eve = await team.user('Eve');
      const [, { id: other }] = await team.operator('POST', '/api/v1/orgs', { name: 'Other' });
      await team.admin('PATCH', `/api/v1/users/${bob.id}`, { roles: ['admin'] });
      const limited = { user: bob.id, name: 'ci', maxAccess: 'read', sources: ['greenhouse'] };
      const [, { record }] = await team.admin('POST', '/api/v1/keys', limited);
      const changes = async (caller: typeof bob.call, query: string) => {
        const [status, { events }] = await caller('GET', `/api/v1/events?${query}`);
        expect(status).toBe(200);
        return events.map((event: { type: string; change: string }) => `${event.type}: ${event.change}`);
      };
      const ofBob = `subject=${bob.id},${record.id}`;
      const expected = [
        'user-changed: created',
        'user-changed: changed roles (admin)',
        `key-changed: created for ${bob.id}, at most read, for greenhouse`,
      ];
      expect(await changes(team.admin, ofBob)).toEqual(expected);
      expect(await changes(team.admin, `${ofBob}&type=key-changed&principal=${team.ann.id}`)).toEqual(
        expected.slice(2),
      );
      const whole = `${ofBob}&organisation=${team.organisation.id}`;
      expect(await changes(team.operator, whole)).toEqual(expected);
      expect(await changes(team.admin, whole)).toEqual(expected);
      expect(await changes(team.operator, `organisation=${other}`)).toEqual([
        'organisation-changed: created',
      ]);
      expect(await changes(team.admin, `organisation=${other}`)).toEqual([]);
      expect(await changes(eve.call, ofBob)).toEqual([]);
      const [, { key }] = await team.admin('POST', '/api/v1/keys', { ...limited, user: team.ann.id });
      expect(await changes(team.as(key), ofBob)).toEqual([]);
    } finally {
      await team[Symbol.asyncDispose]();
    }
  });

  it("a page of a user's events is full of the own ones, however many others there are", async () => {
    const team = await teamGateway();
    try {
      const bob = await team.user('Bob');
      const asBob = team.as(bob.key);
      await asBob('POST', '/api/v1/tools/greenhouse_list_candidates/call', { arguments: {} });
      for (let n = 0; n < 5; n++)
        await team.admin('POST', '/api/v1/tools/greenhouse_list_candidates/call', { arguments: {} });
      const [, { events }] = await asBob('GET', '/api/v1/events?limit=2');
      expect(events.map(({ principal }: { principal: string }) => principal)).toEqual([bob.id, bob.id]);
    } finally {
      await team[Symbol.asyncDispose]();
    }
  });
});
