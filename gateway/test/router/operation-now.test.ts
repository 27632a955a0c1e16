import { expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/build.ts';
import type { Catalog } from '../../src/catalog/catalog.ts';
import type { Operation } from '../../src/operations/index.ts';
import { operationNow } from '../../src/router/operation-now.ts';
import { catalogPart, compiledSource, plainOperation } from '../catalog/compiled-source.ts';

const output = { type: 'object' } as const;
const before: Operation = plainOperation('one', 'a');
const now: Operation = { ...before, description: 'Does one as it is now.', output: { type: 'string' } };

const catalogOf = (operation: Operation, more: { readonly quarantined?: true } = {}): Catalog => {
  const catalog = buildCatalog([catalogPart(compiledSource('a', [operation]))], 'test');
  return { ...catalog, entries: catalog.entries.map((entry) => ({ ...entry, ...more })) };
};

it('is what the catalog has now', () => {
  expect(operationNow({ operation: before, tool: 'one' }, catalogOf(now))).toBe(now);
  expect(operationNow({ operation: { ...before, output }, tool: 'one' }, catalogOf(now))).toBe(now);
});

it('has the output that a tool of a topology gave it: that tool reads the answer', () => {
  expect(operationNow({ operation: { ...before, output }, tool: 'ask' }, catalogOf(now))).toEqual({
    ...now,
    output,
  });
  expect(operationNow({ operation: before, tool: 'ask' }, catalogOf(now))).toBe(now);
});

it('is none where it is gone, or its id is that of another source', () => {
  for (const other of [plainOperation('two', 'a'), plainOperation('one', 'b')]) {
    const catalog = buildCatalog([catalogPart(compiledSource(other.source, [other]))], 'test');
    expect(() => operationNow({ operation: before, tool: 'one' }, catalog)).toThrow(
      expect.objectContaining({ code: 'tool_unknown' }),
    );
  }
});

it('is none where its definition changed and nobody accepted it, though it was made for the call', () => {
  for (const made of [{}, { made: true }] as const) {
    const call = { operation: before, tool: 'one', ...made };
    expect(() => operationNow(call, catalogOf(now, { quarantined: true }))).toThrow(
      expect.objectContaining({ code: 'tool_quarantined' }),
    );
  }
});

it('stays as it was made for one call, whatever the catalog has', () => {
  const call = { operation: before, tool: 'one', made: true } as const;
  expect(operationNow(call, catalogOf(now))).toBe(before);
  expect(operationNow(call, catalogOf(plainOperation('two', 'a')))).toBe(before);
});
