import { beforeAll, describe, expect, it } from 'vitest';
import {
  DEFAULT_TOPOLOGY_OPTIONS,
  type TokenCount,
  type VisibleOperation,
} from '../../../src/operations/index.ts';
import { createTokenCounter } from '../../../src/tokens/index.ts';
import { givenText } from '../../../src/topology/given-text.ts';
import { measureFlow } from '../../../src/topology/measuring/measure-flow.ts';
import { measureSurface } from '../../../src/topology/measuring/measure-surface.ts';
import { sampleArguments, typicalOperation } from '../../../src/topology/measuring/typical-operation.ts';
import { TOPOLOGIES } from '../../../src/topology/registry.ts';
import type { OperationSet } from '../../../src/topology/topology.ts';
import { plainOperation } from '../../catalog/compiled-source.ts';
import { operationsOf, plainOperations, setOf, TICKETS, visible } from '../search-set.ts';

let count: TokenCount;
let desk: OperationSet;
let listTickets: VisibleOperation;
beforeAll(async () => {
  count = createTokenCounter();
  desk = setOf(await operationsOf('desk', TICKETS), plainOperations('desk', 60));
  listTickets = desk.find('listTickets')!;
});
const publish = (topology: string, set = desk) =>
  TOPOLOGIES[topology]!.publish(set, DEFAULT_TOPOLOGY_OPTIONS);

describe('the flow of search, describe and call', () => {
  it.each(['search', 'hybrid', 'base', 'discover'])('takes at most 1,200 tokens in %s', async (topology) => {
    const flow = await measureFlow(topology, publish(topology), listTickets, count);
    expect(flow!.total).toBe(flow!.search + flow!.describe + flow!.call);
    expect(flow!.call).toBeGreaterThan(10);
    expect(flow!.total).toBeLessThanOrEqual(1200);
  });

  it('counts what the tools really answer', async () => {
    const brief = visible(plainOperation('brief', 'desk'));
    const long = visible({ ...plainOperation('long', 'desk'), description: 'Word '.repeat(100) });
    const set = setOf([brief, long]);
    const describing = async (one: VisibleOperation) =>
      (await measureFlow('search', publish('search', set), one, count))!.describe;
    expect((await describing(long)) - (await describing(brief))).toBeGreaterThan(90);
  });

  it.each(['flat', 'categories', 'own'])('is none in %s: operations are called at once', async (topology) => {
    expect(await measureFlow(topology, publish('flat'), listTickets, count)).toBeUndefined();
  });

  it('is none where a source is small enough to be listed', async () => {
    const set = setOf(await operationsOf('desk', TICKETS));
    expect(
      await measureFlow('discover', publish('discover', set), set.find('listTickets')!, count),
    ).toBeUndefined();
  });
});

it('measures every topology by what a model is given', async () => {
  const measure = (name: string) =>
    measureSurface({ name, took: name, tools: publish(name) }, listTickets, count);
  const { perTool, ...flat } = await measure('flat');
  expect(flat).toEqual({ name: 'flat', tools: 64, tokens: sum(publish('flat')) });
  expect(perTool).toHaveLength(64);
  expect(perTool.map(({ tokens }) => tokens)).toEqual(
    perTool.map(({ tokens }) => tokens).sort((a, b) => b - a),
  );
  expect(await measure('search')).toMatchObject({
    name: 'search',
    tools: 4,
    tokens: sum(publish('search')),
    flow: { call: expect.any(Number) },
  });
});

describe('a typical operation', () => {
  it('reads, and is in the middle by the size of its arguments', async () => {
    const operations = await operationsOf('desk', TICKETS);
    expect(typicalOperation(operations)?.name).toBe('listTickets');
    expect(typicalOperation(operations.filter(({ facts }) => facts.access !== 'read'))?.name).toBe(
      'createTicket',
    );
    expect(typicalOperation([])).toBeUndefined();
  });

  it('is called with a value for whatever it requires', () => {
    const properties = {
      text: { type: 'string' },
      state: { enum: ['open', 'closed'] },
      size: { type: 'integer', default: 50 },
      count: { type: ['integer', 'null'] },
      isOpen: { type: 'boolean' },
      ids: { type: 'array' },
      body: { $ref: '#/$defs/Body' },
      unknown: {},
    };
    const input = {
      type: 'object',
      properties,
      required: Object.keys(properties),
      $defs: { Body: { type: 'object' } },
    };
    expect(sampleArguments(visible(plainOperation('add', 'desk', input)))).toEqual({
      text: 'example',
      state: 'open',
      size: 50,
      count: 1,
      isOpen: true,
      ids: [],
      body: {},
      unknown: 'example',
    });
  });
});

function sum(tools: ReturnType<typeof publish>): number {
  return tools.reduce((total, tool) => total + count(givenText(tool)), 0);
}
