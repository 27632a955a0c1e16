import { describe, expect, it } from 'vitest';
import { createTopologies, mayBeFlat } from '../../../src/assembly/listing/topologies.ts';
import { parseConfiguration } from '../../../src/config/index.ts';
import { flat } from '../../../src/topology/flat.ts';

const own = { ...flat, name: 'own' };
const nothing = () => undefined;

describe('topologies', () => {
  it('are flat and those of the embedder before any other is needed', async () => {
    const topologies = createTopologies([own], nothing);
    expect(Object.keys(topologies.loaded)).toEqual(['flat', 'own']);
    const before = topologies.loaded;
    await topologies.load();
    expect(Object.keys(topologies.loaded).sort()).toEqual(
      ['base', 'capped', 'categories', 'discover', 'flat', 'hybrid', 'own', 'search'].sort(),
    );
    expect(topologies.loaded).not.toBe(before);
    expect(topologies.loaded['own']).toBe(own);
  });

  it('let an embedder replace one that is shipped', async () => {
    const replaced = { ...flat, name: 'base' };
    const topologies = createTopologies([replaced], nothing);
    await topologies.load();
    expect(topologies.loaded['base']).toBe(replaced);
  });

  it('tell once that a list can be made again which was made without them', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    let told = 0;
    const topologies = createTopologies([], () => resolve(++told));
    topologies.missed();
    expect(await promise).toBe(1);
    topologies.missed();
    await topologies.load();
    expect(told).toBe(1);
  });
});

describe('what may come to a flat list', () => {
  const parsed = (file: object) =>
    parseConfiguration(file as never, { env: { HOME: '/home/ada' }, baseDirectory: '/home/ada' });
  const source = { openapi: './a.json' };

  it.each([
    ['nothing said', {}, true],
    ['flat', { topology: 'flat' }, true],
    ['another topology', { topology: 'base' }, false],
    ['one source with another', { sources: { a: source, b: { ...source, topology: 'search' } } }, false],
    ['one source with flat', { sources: { a: { ...source, topology: 'flat' } } }, true],
    ['a rule with another', { topology: { for: [{ client: 'x', name: 'hybrid' }] } }, false],
    ['a rule with flat', { topology: { for: [{ client: 'x', name: 'flat' }] } }, true],
  ])('%s', async (_what, file, expected) => {
    expect(mayBeFlat(await parsed(file))).toBe(expected);
  });
});
