import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '../../../src/config/defaults.ts';
import { parseConfiguration } from '../../../src/config/index.ts';
import { DEFAULT_TOPOLOGY_OPTIONS } from '../../../src/operations/index.ts';

const parsed = (file: object, topologies?: readonly string[]) =>
  parseConfiguration(file as never, {
    env: { HOME: '/home/ada' },
    baseDirectory: '/home/ada',
    ...(topologies === undefined ? {} : { topologies }),
  });
const refusal = (file: object) =>
  parsed(file).then(
    () => 'accepted',
    (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
  );
const source = { openapi: './a.json' };

describe('topology', () => {
  it('is auto with the options of every topology by default', async () => {
    const { topology, surface } = await parsed({});
    expect(topology).toBe('auto');
    expect(surface).toEqual({
      options: DEFAULT_TOPOLOGY_OPTIONS,
      rules: [],
      shaping: { limits: {}, essential: {} },
    });
  });

  it.each(DEFAULTS.topologies)('may be %s, by its name or in an object', async (name) => {
    expect((await parsed({ topology: name })).topology).toBe(name);
    expect((await parsed({ topology: { name } })).topology).toBe(name);
  });

  it.each([
    ['base_only', 'base'],
    ['categories_only', 'categories'],
  ])('may be %s, which is %s', async (alias, name) => {
    const { topology, surface, sources } = await parsed({
      topology: { name: alias, for: [{ role: 'ops', name: alias }] },
      sources: { a: { ...source, topology: alias } },
    });
    expect(topology).toBe(name);
    expect(surface?.rules).toEqual([{ role: 'ops', name }]);
    expect(sources['a']?.topology).toBe(name);
  });

  it('may be one that the embedder brings', async () => {
    const { topology } = await parsed({ topology: 'mine' }, [...DEFAULTS.topologies, 'mine']);
    expect(topology).toBe('mine');
  });

  it('carries its options and the budget, over the defaults', async () => {
    const { surface } = await parsed({
      topology: {
        maxCategoryTools: 3,
        pinned: ['getPet'],
        categories: { money: { tags: ['invoices'], select: [{ path: '/refunds/**' }] } },
      },
      tokenBudget: 5000,
    });
    expect(surface?.options).toEqual({
      ...DEFAULT_TOPOLOGY_OPTIONS,
      maxCategoryTools: 3,
      pinned: ['getPet'],
      categories: { money: { tags: ['invoices'], select: [{ path: '/refunds/**' }] } },
      tokenBudget: 5000,
    });
  });

  it.each([
    ['a rule that fits everybody', { topology: { for: [{ name: 'flat' }] } }, /at least one of client, role/],
    ['a rule to an unknown topology', { topology: { for: [{ role: 'x', name: 'grid' }] } }, /grid/],
    [
      'a source in an unknown topology',
      { sources: { a: { ...source, topology: 'grid' } } },
      /no topology "grid"/,
    ],
    ['an empty category', { topology: { categories: { money: {} } } }, /Name tags or select/],
    ['an option that there is not', { topology: { maxTools: 3 } }, /maxTools/],
    ['a budget that no list fits', { tokenBudget: 99 }, /tokenBudget/],
  ])('is refused with %s', async (_what, file, message) => {
    const said = await refusal(file);
    expect(said).toMatch(/^configuration_invalid: /);
    expect(said).toMatch(message);
  });
});

describe('shaping', () => {
  it('is on or off for the gateway and for a source, or finer', async () => {
    const { surface, sources } = await parsed({
      shaping: false,
      sources: {
        a: { ...source, shaping: true },
        b: { ...source, shaping: { limits: { logs: 50 }, essential: { logs: ['time', 'text'] } } },
        c: { ...source, shaping: { maxPages: 20 } },
      },
    });
    expect(surface?.shaping).toMatchObject({ enabled: false });
    expect(sources['a']?.shaping).toMatchObject({ enabled: true });
    expect(sources['b']?.shaping).toEqual({
      limits: { logs: 50 },
      essential: { logs: ['time', 'text'] },
    });
    expect(sources['c']?.shaping).toEqual({ limits: {}, essential: {}, maxPages: 20 });
  });

  it.each([
    ['a limit of no row', { shaping: { limits: { logs: 0 } } }],
    ['more pages than a call may read', { shaping: { maxPages: 21 } }],
    ['a word that is no switch', { shaping: 'on' }],
  ])('is refused with %s', async (_what, file) => {
    expect(await refusal(file)).toMatch(/^configuration_invalid: .*/);
  });
});
