import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ArtifactStore, createArtifactStore } from '../../src/artifacts/index.ts';
import { ownedArtifacts } from '../../src/assembly/owned-artifacts.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/operations/index.ts';

const ann: Principal = { ...LOCAL_PRINCIPAL, kind: 'user', id: 'ann', organisation: 'acme' };
const CALLERS: Readonly<Record<string, Principal>> = {
  ann,
  'ann by a key of stock': { ...ann, sources: ['stock'] },
  'ann by a key of shop': { ...ann, sources: ['shop'] },
  'ann of another organisation': { ...ann, organisation: 'other' },
  'ann of none': { ...LOCAL_PRINCIPAL, kind: 'user', id: 'ann' },
  bob: { ...ann, id: 'bob' },
};
const names = Object.keys(CALLERS);

let folder = '';
let artifacts: ArtifactStore;
/** Ids by who left them: all left the same bytes. */
const left = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-owned-'));
  artifacts = createArtifactStore(folder);
  for (const name of names) {
    const description = { mimeType: 'text/plain', name };
    left.set(name, (await of(name).put(Buffer.from('the same'), description)).id);
  }
});
afterAll(() => rm(folder, { recursive: true }));

const of = (name: string) => ownedArtifacts(artifacts, CALLERS[name]!);

it.each<[string, readonly string[]]>([
  ['ann', ['ann', 'ann by a key of stock', 'ann by a key of shop']],
  ['ann by a key of stock', ['ann by a key of stock']],
  ['ann by a key of shop', ['ann by a key of shop']],
  ['ann of another organisation', ['ann of another organisation']],
  ['ann of none', ['ann of none']],
  ['bob', ['bob']],
])('%s lists, opens and reads what is of %j alone, whatever is asked for', async (name, expected) => {
  const own = of(name);
  const reached = async (reach: (id: string) => Promise<unknown>) => {
    const found = await Promise.all(names.map(async (one) => ((await reach(left.get(one)!)) ? [one] : [])));
    return found.flat();
  };
  expect(await reached((id) => own.open(id))).toEqual(expected);
  expect(await reached((id) => own.get(id))).toEqual(expected);
  const everybodys = { owner: '["acme","bob"]', ownersWithin: '' };
  for (const query of [{}, everybodys])
    expect((await own.list(query)).map((one) => one.name).sort()).toEqual([...expected].sort());
});

it('nobody removes what is another’s, and nobody but the operator sweeps', async () => {
  const bobs = left.get('bob')!;
  for (const name of names.filter((one) => one !== 'bob')) {
    expect(await of(name).remove(bobs)).toBe(false);
    expect(await of(name).sweep()).toBe(0);
  }
  const operators = ownedArtifacts(artifacts, LOCAL_PRINCIPAL);
  expect(await operators.list()).toHaveLength(names.length);
  expect(await of('bob').remove(bobs)).toBe(true);
  expect(await operators.open(bobs)).toBeUndefined();
});

describe('what a user may call no longer', () => {
  const put = (store: ArtifactStore, name: string, operation: string) =>
    store.put(Buffer.from(name), { mimeType: 'text/plain', name, operation });
  const shut = { readable: async () => (operation: string) => operation !== 'shop/list' };

  it('is shut with it, in pages too, and open to the operator', async () => {
    const bob = CALLERS['bob']!;
    const own = ownedArtifacts(artifacts, bob);
    const open: string[] = [];
    for (let index = 0; index < 6; index++) {
      await put(own, `shut ${index}`, 'shop/list');
      open.push((await put(own, `open ${index}`, 'stock/list')).id);
    }
    const now = ownedArtifacts(artifacts, bob, shut);
    const listed: string[] = [];
    for (;;) {
      const after = listed.at(-1);
      const page = await now.list({ limit: 2, ...(after === undefined ? {} : { after }) });
      listed.push(...page.map(({ id }) => id));
      if (page.length < 2) break;
    }
    expect(listed.toSorted()).toEqual(open.toSorted());
    const [one] = (await own.list({ text: 'shut 3' })).map(({ id }) => id);
    expect(await now.open(one!)).toBeUndefined();
    expect(await now.get(one!)).toBeUndefined();
    expect(await now.remove(one!)).toBe(false);
    expect(await ownedArtifacts(artifacts, LOCAL_PRINCIPAL, shut).get(one!)).toBeDefined();
  });

  it('takes nothing else with it that said the same', async () => {
    const own = ownedArtifacts(artifacts, CALLERS['bob']!);
    const [shop, stock] = [await put(own, 'alike', 'shop/list'), await put(own, 'alike', 'stock/list')];
    expect(shop.id).not.toBe(stock.id);
    expect((await put(own, 'alike', 'stock/list')).id).toBe(stock.id);
    expect(await ownedArtifacts(artifacts, CALLERS['bob']!, shut).get(stock.id)).toBeDefined();
  });
});

describe('whose words are read is told', () => {
  const store = async (operation?: string) => {
    const description = { mimeType: 'text/plain', name: 'x', ...(operation && { operation }) };
    return (await of('ann').put(Buffer.from(`of ${operation}`), description)).id;
  };

  it.each([
    ['shop/list', 'shop'],
    [undefined, ''],
  ])('of %s before the first byte, not for what is only described', async (operation, source) => {
    const id = await store(operation);
    const told: string[] = [];
    const reading = ownedArtifacts(artifacts, ann, { delivered: async (of) => void told.push(of) });
    const opened = await reading.open(id);
    await reading.list();
    const stream = opened!.stream({ first: 0, last: 1 });
    await stream.cancel();
    expect(told).toEqual([]);
    expect(await new Response(opened!.stream({ first: 0, last: 1 })).text()).toBe('of');
    expect(told).toEqual([source]);
    await reading.get(id);
    expect(told).toEqual([source, source]);
  });

  it('and nothing is begun for who leaves meanwhile', async () => {
    const [gate, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const delivered = () => {
      asked.resolve();
      return gate.promise;
    };
    const begun = vi.fn();
    const found = await artifacts.open(await store('shop/left'));
    const kept = { ...artifacts, open: async () => ({ ...found!, stream: begun }) };
    const opened = await ownedArtifacts(kept, ann, { delivered }).open(found!.id);
    const reader = opened!.stream().getReader();
    const first = reader.read();
    await asked.promise;
    await reader.cancel();
    gate.resolve();
    expect(await first).toEqual({ done: true, value: undefined });
    await gate.promise;
    expect(begun).not.toHaveBeenCalled();
  });

  it('and nothing is read where it cannot be', async () => {
    const id = await store('shop/list');
    const reading = ownedArtifacts(artifacts, ann, {
      delivered: () => Promise.reject(new Error('the store is away')),
    });
    await expect(reading.get(id)).rejects.toThrow('the store is away');
    await expect(new Response((await reading.open(id))!.stream()).text()).rejects.toThrow(
      'the store is away',
    );
  });
});
