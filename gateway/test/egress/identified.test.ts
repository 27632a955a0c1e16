import { expect, it } from 'vitest';
import type { Connections } from '../../src/egress/connections.ts';
import { createIdentified } from '../../src/egress/identified.ts';

/** Connections that say what became of them, by whose they are. */
function bench() {
  const opened: string[] = [];
  const ended: string[] = [];
  const identified = createIdentified(async ({ id }: { readonly id: string }) => {
    opened.push(id);
    if (id === 'bad') throw new Error('It cannot be opened.');
    return {
      retire: () => void ended.push(`${id} retired`),
      close: async () => void ended.push(`${id} closed`),
    } as unknown as Connections;
  });
  const of = (id: string) => identified.of({ id });
  return { identified, of, opened, ended };
}

it('each identity has its own connections, opened once', async () => {
  const { of, opened } = bench();
  const [ann, bob, again] = [await of('ann'), await of('bob'), await of('ann')];
  expect(bob).not.toBe(ann);
  expect(again).toBe(ann);
  expect(opened).toEqual(['ann', 'bob']);
});

it('beyond fifty, what was used longest ago may end what is under way, and is opened anew', async () => {
  const { of, opened, ended } = bench();
  for (let n = 0; n < 50; n++) await of(`id${n}`);
  await of('id0');
  expect(ended).toEqual([]);
  await of('one more');
  expect(ended).toEqual(['id1 retired']);
  await of('id0');
  await of('id1');
  expect(opened.filter((id) => id === 'id0' || id === 'id1')).toEqual(['id0', 'id1', 'id1']);
});

it('closes all of them, also where one could not be opened', async () => {
  const { identified, of, ended } = bench();
  await of('ann');
  await of('bob');
  await expect(of('bad')).rejects.toThrow('It cannot be opened.');
  await identified.close();
  expect(ended).toEqual(['ann closed', 'bob closed']);
});
