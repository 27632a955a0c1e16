import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
