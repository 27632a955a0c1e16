import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../../../src/index.ts';
import { openStore } from '../../../src/store/open-store.ts';

const at = (day: number) => Date.UTC(2020, 0, day);
const day = (number: number) => new Date(at(number)).toISOString();

let folder = '';
let gateway: Gateway;
let url = '';

/** A log with a call of an old tool on the first and on the second of January, and more than one look holds on the third. */
beforeEach(async () => {
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
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

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
