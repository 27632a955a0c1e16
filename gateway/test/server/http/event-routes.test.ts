import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDurableEvents } from '../../../src/events/durable-events.ts';
import { createEventLog, type EventLog } from '../../../src/events/event-log.ts';
import type { Event, EventBody } from '../../../src/operations/index.ts';
import { listEvents } from '../../../src/server/http/routes/events/list-events.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { callEnded, callStarted } from '../../store/support/records.ts';
import { httpEndpoint } from './http-endpoint.ts';

let folder = '';
let opened: Array<{ store: Store; log: EventLog }> = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolcrib-sse-'));
});
afterEach(async () => {
  for (const { store, log } of opened) {
    await log.close();
    await store.close();
  }
  opened = [];
  rmSync(folder, { recursive: true });
});

/** One process: its own connection to the shared store, its own server. */
async function process() {
  const store = await openStore(`sqlite:${join(folder, 'toolcrib.db')}`);
  const log = createDurableEvents({ store, recover: false });
  opened.push({ store, log });
  return { store, log, ...(await serving(log, store)) };
}

async function serving(log: EventLog, store?: Store) {
  const endpoint = await httpEndpoint(
    { tools: [] },
    {},
    {
      events: (after, query) => log.list(after, query),
      onEvent: (listener) => log.subscribe(listener),
      onNews: (listener) => {
        const stops = [log.subscribe(listener), store?.onAppend(listener) ?? (() => {})];
        return () => {
          for (const stop of stops) stop();
        };
      },
    },
  );
  return { endpoint, [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose]() };
}

interface Frame {
  readonly id?: number;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Reads frames until `enough`, then leaves. */
async function stream(
  endpoint: { request(path: string, init?: RequestInit): Promise<Response> },
  path: string,
  enough: (frames: readonly Frame[]) => boolean,
  headers: Record<string, string> = {},
): Promise<readonly Frame[]> {
  const response = await endpoint.request(path, { headers: { accept: 'text/event-stream', ...headers } });
  const frames: Frame[] = [];
  let rest = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n\n');
    rest = parts.pop()!;
    frames.push(...parts.flatMap(frameOf));
    if (enough(frames)) break;
  }
  return frames;
}

function frameOf(text: string): Frame[] {
  const fields = Object.fromEntries(text.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
  if (fields['data'] === undefined) return [];
  const id = fields['id'] === undefined ? {} : { id: Number(fields['id']) };
  return [{ ...id, event: fields['event'], data: JSON.parse(fields['data']) }];
}
const note = (message: string): EventBody => ({ type: 'source-failed', source: 'pets', message });
const ids = (frames: readonly Frame[]) => frames.map(({ id }) => id);

describe('the event stream', () => {
  test('resumes behind the last event seen, over a restart and on another process', async () => {
    const first = await process();
    for (let n = 1; n <= 5; n++) await first.log.append(note(`m${n}`));
    const seen = await stream(first.endpoint, '/api/v1/events', (frames) => frames.length >= 3);
    await first[Symbol.asyncDispose]();
    await using second = await process();
    await second.log.append(note('m6'));
    const last = String(seen[2]!.id);
    const more = await stream(second.endpoint, '/api/v1/events', (frames) => frames.length >= 3, {
      'last-event-id': last,
    });
    expect(ids(more)).toEqual([4, 5, 6]);
  });

  test('resumes behind the last event seen, also at an address that says where it began', async () => {
    await using one = await process();
    for (let n = 1; n <= 5; n++) await one.log.append(note(`m${n}`));
    const resumed = (after: number, last: number) =>
      stream(one.endpoint, `/api/v1/events?after=${after}`, (frames) => frames.length >= 1, {
        'last-event-id': String(last),
      });
    expect(ids(await resumed(1, 3))).toEqual([4, 5]);
    expect(ids(await resumed(4, 3))).toEqual([5]);
  });

  test.each(['abc', '-1', '1.5', '0x10', '99999999999999999999'])(
    'refuses to continue behind %s, which was never an id, rather than begin somewhere',
    async (id) => {
      await using one = await process();
      await one.log.append(note('m1'));
      const headers = { accept: 'text/event-stream', 'last-event-id': id };
      const response = await one.endpoint.request('/api/v1/events', { headers });
      expect(response.status).toBe(400);
      expect(response.headers.get('content-type')).toContain('json');
      expect(await response.json()).toMatchObject({ error: { code: 'cursor_invalid' } });
    },
  );

  test('behind 0 is everything, and an id that was written down empty is none', async () => {
    await using one = await process();
    for (let n = 1; n <= 3; n++) await one.log.append(note(`m${n}`));
    const from = (id: string) =>
      stream(one.endpoint, '/api/v1/events', (found) => found.length >= 3, { 'last-event-id': id });
    expect(ids(await from('0'))).toEqual([1, 2, 3]);
    expect(ids(await from(''))).toEqual([1, 2, 3]);
    await one.store.database.deleteFrom('events').where('sequence', '<=', 2).execute();
    const [gap] = await stream(one.endpoint, '/api/v1/events', (found) => found.length >= 1, {
      'last-event-id': '0',
    });
    expect(gap).toEqual({ event: 'gap', data: { after: 0, oldest: 3 } });
  });

  test("follows another process's events within a second or so", async () => {
    await using one = await process();
    await using other = await process();
    await one.log.append(note('m1'));
    const frames = stream(other.endpoint, '/api/v1/events?after=0', (found) => found.length >= 2);
    await one.log.append(note('m2'));
    expect(ids(await frames)).toEqual([1, 2]);
  });

  test('10,000 events arrive once each, in order, while more are written', async () => {
    await using one = await process();
    const writing = (async () => {
      for (let page = 0; page < 20; page++)
        await Promise.all(Array.from({ length: 500 }, (_, n) => one.log.append(note(`${page * 500 + n}`))));
    })();
    const frames = await stream(one.endpoint, '/api/v1/events?after=0', (found) => found.length >= 10_000);
    await writing;
    expect(frames.map(({ data }) => data['message'])).toEqual(
      Array.from({ length: 10_000 }, (_, n) => String(n)),
    );
    const sequences = ids(frames);
    expect(sequences.every((id, index) => index === 0 || id! > sequences[index - 1]!)).toBe(true);
  });

  test('says what is gone when old events were removed meanwhile', async () => {
    await using one = await process();
    for (let n = 1; n <= 5; n++) await one.log.append(note(`m${n}`));
    await one.store.database.deleteFrom('events').where('sequence', '<=', 3).execute();
    const frames = await stream(one.endpoint, '/api/v1/events', (found) => found.length >= 3, {
      'last-event-id': '1',
    });
    expect(frames[0]).toEqual({ event: 'gap', data: { after: 1, oldest: 4 } });
    expect(ids(frames.slice(1))).toEqual([4, 5]);
    const whole = await stream(one.endpoint, '/api/v1/events', (found) => found.length >= 2, {
      'last-event-id': '3',
    });
    expect(ids(whole)).toEqual([4, 5]);
  });

  test('begins anew where a log without a store did', async () => {
    const log = createEventLog();
    await using one = await serving(log);
    await log.append(note('m1'));
    const frames = await stream(one.endpoint, '/api/v1/events', (found) => found.length >= 2, {
      'last-event-id': '500',
    });
    expect(frames).toMatchObject([{ event: 'gap', data: { after: 0, oldest: 1 } }, { id: 1 }]);
  });

  test('ends where a database lost the last events, and says so to who continues', async () => {
    await using one = await process();
    for (let n = 1; n <= 5; n++) await one.log.append(note(`m${n}`));
    let lost = false;
    const lose = async () => {
      lost = true;
      await one.store.database.deleteFrom('events').where('sequence', '>', 2).execute();
      await sql`update sqlite_sequence set seq = 2 where name = 'events'`.execute(one.store.database);
      await one.log.append(note('n3'));
    };
    // resolves when the stream ends by itself
    const seen = await stream(one.endpoint, '/api/v1/events', (found) => {
      if (!lost && found.length >= 5) void lose();
      return false;
    });
    expect(ids(seen)).toEqual([1, 2, 3, 4, 5]);
    const again = await stream(one.endpoint, '/api/v1/events', (found) => found.length >= 4, {
      'last-event-id': '5',
    });
    expect(again[0]).toEqual({ event: 'gap', data: { after: 0, oldest: 1 } });
    expect(again.at(-1)).toMatchObject({ id: 3, data: { message: 'n3' } });
  });

  test('in the words of run events, filtered', async () => {
    await using one = await process();
    await one.log.append(note('not of the run'));
    for (const [call, run] of [
      ['c1', 'r1'],
      ['c2', 'r2'],
    ] as const) {
      await one.log.append(callStarted(call, { run, input: { id: 1 }, access: 'write' }));
      await one.log.append(callEnded(call, { run, summary: 'array of 2' }));
    }
    const path = '/api/v1/events?after=0&format=run&run=r2';
    const frames = await stream(one.endpoint, path, (found) => found.length >= 2);
    expect(frames).toMatchObject([
      { id: 4, event: 'TOOL_CALL_STARTED', data: { correlation_id: 'c2', run_id: 'r2', input: { id: 1 } } },
      { id: 5, event: 'TOOL_CALL_COMPLETED', data: { summary: 'array of 2' } },
    ]);
  });
});

describe('GET /events', () => {
  const bodies: readonly EventBody[] = [
    callStarted('c1', { run: 'r1', access: 'write' }),
    callEnded('c1', { run: 'r1' }),
    callStarted('c2', { tool: 'other', principal: 'bob', access: 'write' }),
    callEnded('c2', {
      tool: 'other',
      principal: 'bob',
      type: 'call-failed',
      code: 'cancelled',
      message: 'x',
    }),
    {
      type: 'approval-requested',
      approval: 'p1',
      principal: 'bob',
      tool: 'other',
      source: 's',
      operation: 'o',
      state: 'pending',
      call: 'c2',
    },
    note('m'),
  ];
  test.each([
    ['', [1, 2, 3, 4, 5, 6]],
    ['?limit=2', [5, 6]],
    ['?after=1&limit=2', [2, 3]],
    ['?type=call-failed', [4]],
    ['?type=call-failed,source-failed,approval-requested', [4, 5, 6]],
    ['?type=approval-requested', [5]],
    ['?tool=other', [3, 4, 5]],
    ['?source=pets', [6]],
    ['?principal=bob', [3, 4, 5]],
    ['?call=c2', [3, 4, 5]],
    ['?run=r1', [1, 2]],
    ['?run=r1&type=call-started', [1]],
    ['?run=none', []],
  ])('%s', async (query, expected) => {
    await using one = await process();
    const memory = createEventLog();
    await using other = await serving(memory);
    for (const body of bodies) {
      await one.log.append(body);
      await memory.append(body);
    }
    for (const { endpoint } of [one, other]) {
      const [status, answer] = await endpoint.json(`/api/v1/events${query}`);
      const { events } = answer as { events: readonly Event[] };
      expect([status, events.map(({ sequence }) => sequence)]).toEqual([200, expected]);
    }
  });
});

test('a user of no organisation learns nothing, whatever is asked', async () => {
  const log = createEventLog();
  await log.append(callStarted('1'));
  const gateway = { events: log.list };
  const principal = { id: 'eve', kind: 'user', maxAccess: 'read', roles: [] };
  const request = new Request('http://127.0.0.1/api/v1/events');
  const { principal: whose } = (await log.list())[0] as Event & { principal: string };
  for (const query of [{}, { principal: whose }, { principal: whose, limit: 1 }]) {
    const context = { gateway, principal, request } as unknown as Parameters<typeof listEvents.handle>[1];
    const answer = await listEvents.handle({ params: undefined, query, body: undefined }, context);
    expect(answer).toEqual({ events: [], last: 0 });
  }
});
