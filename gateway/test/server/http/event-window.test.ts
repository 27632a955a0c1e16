import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../../../src/index.ts';
import { openStore } from '../../../src/store/open-store.ts';

/** Lately: what is older than `retention` allows is deleted while the tests run. */
const START = Math.floor(Date.now() / 86_400_000 - 10) * 86_400_000;
const at = (day: number) => START + day * 86_400_000;
const day = (number: number) => new Date(at(number)).toISOString();

let folder = '';
let gateway: Gateway;
let url = '';

/** A log with a call of an old tool on the first and on the second day, and more than one look holds on the third. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-window-'));
  const address = `sqlite:${join(folder, 'toolcrib.db')}`;
  const store = await openStore(address);
  const rows = Array.from({ length: 52_000 }, (_, index) => ({
    time: at(Math.min(index + 1, 3)),
    type: 'call-progress',
    process_id: 'old',
    body: JSON.stringify({ type: 'call-progress', tool: index < 2 ? 'oldOrder' : 'getOrder' }),
  }));
  for (let from = 0; from < rows.length; from += 4_000)
    await store.database
      .insertInto('events')
      .values(rows.slice(from, from + 4_000))
      .execute();
  await store.close();
  gateway = await createGateway({ store: address, stateDirectory: folder, watch: false });
  ({ url } = await gateway.listen({ port: 0 }));
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

it.each(['tool=oldOrder', 'q=oldOrder', 'tool=oldOrder&type=call-progress'])(
  '%s is looked for in so many at a time, in both directions',
  async (query) => {
    const find = async (rest: string) => {
      const response = await fetch(new URL(`/api/v1/events?${query}&${rest}`, url));
      const { events, ...page } = (await response.json()) as {
        events: { sequence: number }[];
        last: number;
        earlier?: number;
      };
      return { ...page, found: events.map(({ sequence }) => sequence) };
    };
    const back = await find('');
    expect(back).toMatchObject({ found: [], earlier: expect.toSatisfy((at: number) => at > 2) });
    expect(await find(`before=${back.earlier}`)).toMatchObject({ found: [1, 2] });
    // nothing of the next 50,000 fits after the second: whoever follows goes on behind them
    expect(await find('after=0')).toEqual({ found: [1, 2], last: 50_000 });
    expect(await find('after=1')).toEqual({ found: [2], last: 50_001 });
    expect(await find('after=0&limit=1')).toEqual({ found: [1], last: 1 });
    const rest = await find('after=50000');
    expect(rest).toEqual({ found: [], last: 50_000 });
  },
);

it('a text is looked for where the time that is asked for ends, and no further than where it begins', async () => {
  const find = async (query: string) => {
    const response = await fetch(new URL(`/api/v1/events?q=oldOrder&${query}`, url));
    const { events, earlier } = (await response.json()) as {
      events: { sequence: number }[];
      earlier?: number;
    };
    return { found: events.map(({ sequence }) => sequence), more: earlier !== undefined };
  };
  expect(await find('')).toEqual({ found: [], more: true });
  expect(await find(`to=${day(3)}`)).toEqual({ found: [1, 2], more: false });
  expect(await find(`from=${day(2)}&to=${day(3)}`)).toEqual({ found: [2], more: false });
  expect(await find(`to=${day(1)}`)).toEqual({ found: [], more: false });
  expect(await find(`from=${day(2)}`)).toEqual({ found: [], more: true });
  expect(await find(`from=${day(4)}`)).toEqual({ found: [], more: false });
});
