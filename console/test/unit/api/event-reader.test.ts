import { afterEach, expect, it, vi } from 'vitest';
import { EventReader, type Gap } from '../../../src/api/event-reader.ts';

const over: AbortController[] = [];
afterEach(() => {
  for (const controller of over.splice(0)) controller.abort();
  vi.unstubAllGlobals();
});

/** A gateway that answers each stream with the next of these bodies, and then with one that stays open. */
function gatewayOf(bodies: readonly (string | number)[], last = 4) {
  const asked: { readonly path: string; readonly lastEventId: string | null }[] = [];
  const left = [...bodies];
  vi.stubGlobal('fetch', async (path: string, { headers }: RequestInit) => {
    const given = new Headers(headers);
    if (given.get('accept') !== 'text/event-stream') return Response.json({ events: [], last });
    asked.push({ path, lastEventId: given.get('last-event-id') });
    const body = left.shift();
    if (typeof body === 'number')
      return Response.json({ error: { message: 'Refused.', next: 'Wait.' } }, { status: body });
    return new Response(body ?? new ReadableStream());
  });
  return asked;
}

function read(last: number | undefined, checkSession: () => Promise<void> = async () => undefined) {
  const heard: (number | string | Gap)[] = [];
  const controller = new AbortController();
  over.push(controller);
  const reader = new EventReader(
    {
      onState: (state, failure) => heard.push(failure === undefined ? state : `${state}: ${failure.text}`),
      onEvents: (events) => heard.push(...events.map(({ sequence }) => sequence)),
      onGap: (gap) => heard.push(gap),
    },
    checkSession,
  );
  void reader.run(last, controller.signal);
  return { reader, heard };
}

const frames = (...sequences: number[]) =>
  sequences.map((id) => `id: ${id}\ndata: {"sequence":${id}}\n\n`).join('');

it('begins behind what there is, and goes on behind the last event that arrived whole', async () => {
  const asked = gatewayOf([`${frames(5, 6)}id: 7\ndata: {"seq`]);
  const { reader, heard } = read(undefined);
  await vi.waitUntil(() => heard.length === 4, { timeout: 20_000 });
  reader.wake();
  await vi.waitUntil(() => heard.length === 5, { timeout: 20_000 });
  expect(heard).toEqual(['open', 5, 6, 'lost', 'open']);
  expect(asked.map(({ lastEventId }) => lastEventId)).toEqual(['4', '6']);
});

it('begins an empty log at its start', async () => {
  const asked = gatewayOf([], 0);
  const { heard } = read(undefined);
  await vi.waitUntil(() => heard.length === 1, { timeout: 20_000 });
  expect(asked).toEqual([{ path: '/api/v1/events?after=0', lastEventId: null }]);
});

it('tells a gap in its place, also of a log that began anew and says nothing of it', async () => {
  gatewayOf([`event: gap\ndata: {"after":4,"oldest":9}\n\n${frames(9, 10)}`, frames(1, 2)]);
  const { reader, heard } = read(4);
  await vi.waitUntil(() => heard.includes('lost'), { timeout: 20_000 });
  reader.wake();
  await vi.waitUntil(() => heard.filter((one) => one === 'lost').length === 2, { timeout: 20_000 });
  expect(heard).toEqual([
    'open',
    { after: 4, oldest: 9 },
    9,
    10,
    'lost',
    'open',
    { after: 10, oldest: 1 },
    1,
    2,
    'lost',
  ]);
});

it('says why it could not be opened, and that it was later', async () => {
  gatewayOf([503]);
  const { reader, heard } = read(4);
  await vi.waitUntil(() => heard.length === 1, { timeout: 20_000 });
  reader.wake();
  await vi.waitUntil(() => heard.length === 2, { timeout: 20_000 });
  expect(heard).toEqual(['lost: Refused. Wait.', 'open']);
});

it('passes on nothing of a stream that is another session by now', async () => {
  const asked = gatewayOf([frames(5)]);
  const { heard } = read(4, async () => {
    throw new Error('Somebody else.');
  });
  await vi.waitUntil(() => heard.length === 1, { timeout: 20_000 });
  expect(heard[0]).toMatch(/^lost/);
  expect(asked).toHaveLength(1);
});
