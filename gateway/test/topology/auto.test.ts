import { describe, expect, it } from 'vitest';
import { DEFAULT_TOPOLOGY_OPTIONS, type PublishedTool } from '../../src/operations/index.ts';
import { chooseTopology } from '../../src/topology/auto.ts';
import { discover } from '../../src/topology/discover.ts';
import { flat } from '../../src/topology/flat.ts';
import { TOPOLOGIES } from '../../src/topology/registry.ts';
import { search } from '../../src/topology/search.ts';
import type { OperationSet, Topology } from '../../src/topology/topology.ts';
import { plainOperations, setOf, toolNamed } from './search-set.ts';

/** A tool that costs so many tokens: the counter below reads the number. */
const priced = (name: string, tokens: number): PublishedTool => ({
  name,
  tool: {
    name,
    description: `costs ${tokens} ${'.'.repeat(2000)}`,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
});
const costs = (name: string, ...tokens: readonly number[]): Record<string, Topology> => ({
  [name]: {
    name,
    shapes: false,
    publish: () => tokens.map((cost, index) => priced(`${name}${index}`, cost)),
  },
});
const counter = () => {
  const counted: string[] = [];
  const count = (text: string) => {
    counted.push(JSON.parse(text).name);
    return Number(/costs (\d+)/.exec(text)![1]);
  };
  return { count, counted };
};
const quarter = (text: string) => text.length / 4;
const none = setOf();
const choose = (topologies: Record<string, Topology>, tokenBudget = 1000, count = counter().count) =>
  chooseTopology(none, { ...DEFAULT_TOPOLOGY_OPTIONS, tokenBudget }, { count }, topologies);

describe('the richest that fits', () => {
  it.each([
    ['flat, where every tool fits', { flat: [500, 500], hybrid: [10] }, 'flat'],
    [
      'hybrid before the others',
      { flat: [1001], hybrid: [900], categories: [1], search: [1], base: [1] },
      'hybrid',
    ],
    ['categories', { flat: [1001], hybrid: [1001], categories: [999], search: [1], base: [1] }, 'categories'],
    ['search', { flat: [1001], hybrid: [1001], categories: [1001], search: [1000], base: [1] }, 'search'],
    [
      'base at last',
      { flat: [1001], hybrid: [1001], categories: [1001], search: [1001], base: [500] },
      'base',
    ],
  ])('is %s', (_, given, took) => {
    const topologies = Object.assign(
      {},
      ...Object.entries(given).map(([name, tokens]) => costs(name, ...tokens)),
    );
    const choice = choose(topologies);
    expect(choice.took).toBe(took);
    expect(choice.tools).toEqual(topologies[took]!.publish(none, DEFAULT_TOPOLOGY_OPTIONS));
    expect(choice.warning).toBeUndefined();
  });

  it('says what was looked at, up to the one taken', () => {
    expect(
      choose({ ...costs('flat', 600, 600), ...costs('hybrid', 700), ...costs('base', 1) }).considered,
    ).toEqual([
      { name: 'flat', tools: 2, tokens: 1200, fits: false },
      { name: 'hybrid', tools: 1, tokens: 700, fits: true },
    ]);
  });

  it('is base with a warning where nothing fits', () => {
    const choice = choose({ ...costs('flat', 5000), ...costs('base', 2000) });
    expect(choice.took).toBe('base');
    expect(choice.warning).toMatch(/tokenBudget 1000.*base/);
    expect(choice.considered.map(({ fits }) => fits)).toEqual([false, false]);
  });

  it('counts one tool after the other, and none once it is sure', () => {
    const { count, counted } = counter();
    choose({ ...costs('flat', 600, 600, 600, 600), ...costs('base', 1) }, 1000, count);
    expect(counted).toEqual(['flat0', 'flat1', 'base0']);
  });

  it('counts nothing where the bytes alone are within the budget', () => {
    const { count, counted } = counter();
    const choice = choose(costs('flat', 1), 10_000, count);
    expect(choice.considered).toEqual([
      { name: 'flat', tools: 1, tokens: expect.any(Number), fits: true, atMost: true },
    ]);
    expect(counted).toEqual([]);
  });

  it('counts nothing where so few bytes are given to a model, however many stay with the client', () => {
    const { count, counted } = counter();
    const large = priced('large', 900);
    const outputSchema = { type: 'object', description: 'x'.repeat(100_000) };
    const tool = { ...large, tool: { ...large.tool, outputSchema } };
    const topologies = { flat: { name: 'flat', shapes: false, publish: () => [tool] } };
    expect(choose(topologies, 3000, count).considered).toMatchObject([{ name: 'flat', atMost: true }]);
    expect(counted).toEqual([]);
  });

  it('counts a tool once, in however many views it stands', () => {
    const { count, counted } = counter();
    const [tool] = [priced('same', 900)];
    const topologies = { flat: { name: 'flat', shapes: false, publish: () => [tool] } };
    choose(topologies, 1000, count);
    choose(topologies, 1000, count);
    expect(counted).toEqual(['same']);
  });

  it('reads bytes where tools are kept as such, and no more of them than it takes', () => {
    let read = 0;
    const stored = Array.from({ length: 1000 }, (_, index) => ({
      ...priced(`t${index}`, 10),
      bytes: () => new Uint8Array(read++ < 1e9 ? 500 : 0),
    }));
    const topologies = { flat: { name: 'flat', shapes: false, publish: () => stored } };
    choose(topologies, 1000);
    expect(read).toBe(3);
  });
});

describe('what is not counted', () => {
  /** The numbers stand in the text: `least` and `likely`. */
  const estimate = (text: string) => {
    const [, least, likely] = /costs \d+ about (\d+)-(\d+)/.exec(text)!;
    return { least: Number(least), likely: Number(likely) };
  };
  const about = (name: string, tokens: number, least: number, likely: number): Record<string, Topology> => {
    const tool = priced(name, tokens);
    const description = tool.tool.description.replace(/costs \d+/, `$& about ${least}-${likely}`);
    const tools = [{ ...tool, tool: { ...tool.tool, description } }];
    return { [name]: { name, shapes: false, publish: () => tools } };
  };
  const taken = (topologies: Record<string, Topology>, count: (text: string) => number) =>
    chooseTopology(none, { ...DEFAULT_TOPOLOGY_OPTIONS, tokenBudget: 1000 }, { count, estimate }, topologies);

  it('is too much for sure, and likely far below the budget', () => {
    const { count, counted } = counter();
    const given = { ...about('flat', 1, 1001, 1200), ...about('hybrid', 5000, 500, 666) };
    const { took, considered } = taken(given, count);
    expect(took).toBe('hybrid');
    expect(considered).toEqual([
      { name: 'flat', tools: 1, tokens: 1001, fits: false, about: true },
      { name: 'hybrid', tools: 1, tokens: 666, fits: true, about: true },
    ]);
    expect(counted).toEqual([]);
  });

  it.each([
    ['likely within it, and not for sure', 500, 667],
    ['likely over it, and not for sure', 1000, 1400],
  ])('is not what is %s', (_, least, likely) => {
    const { count, counted } = counter();
    const { considered } = taken(about('flat', 999, least, likely), count);
    expect(considered).toEqual([{ name: 'flat', tools: 1, tokens: 999, fits: true }]);
    expect(counted).toEqual(['flat']);
  });
});

describe('discover', () => {
  const topologies = { flat, discover, search };
  const took = (set: OperationSet, tokenBudget: number) =>
    chooseTopology(set, { ...DEFAULT_TOPOLOGY_OPTIONS, tokenBudget }, { count: quarter }, topologies).took;

  it('is taken where it lists whole sources', () => {
    expect(took(setOf(plainOperations('small', 5), plainOperations('large', 400)), 3000)).toBe('discover');
  });

  it('is passed over where it lists none', () => {
    expect(took(setOf(plainOperations('large', 400)), 3000)).toBe('search');
  });
});

it('keeps pinned operations direct tools, whatever it takes', () => {
  const set = setOf(plainOperations('large', 400));
  const options = { ...DEFAULT_TOPOLOGY_OPTIONS, tokenBudget: 2000, pinned: ['large_op0399'] };
  const { took, tools } = chooseTopology(set, options, { count: quarter }, TOPOLOGIES);
  expect(took).not.toBe('flat');
  expect(tools).toContain(set.find('large_op0399'));
  expect(() => toolNamed(tools, 'large_op0399')).toThrow();
});
