import { expect, test } from 'vitest';
import { uniquePrompts, uniqueResources } from '../../src/catalog/unique-names.ts';

test('the earlier source keeps an address', () => {
  const { items, diagnostics } = uniqueResources([
    { uri: 'a:', name: 'first', source: 'one' },
    { uri: 'a:', name: 'second', source: 'two' },
    { uri: 'b:', name: 'third', source: 'two' },
  ]);
  expect(items.map(({ name }) => name)).toEqual(['first', 'third']);
  expect(diagnostics).toEqual([expect.objectContaining({ code: 'resource-shadowed', source: 'two' })]);
});

test('a later prompt of the same name carries its source’s name, unless somebody has that too', () => {
  const { items, diagnostics } = uniquePrompts([
    { name: 'ask', source: 'one' },
    { name: 'ask', source: 'two' },
    { name: 'ask', source: 'three' },
    { name: 'three_ask', source: 'four' },
  ]);
  expect(items).toEqual([
    { name: 'ask', source: 'one' },
    { name: 'two_ask', original: 'ask', source: 'two' },
    { name: 'three_ask', source: 'four' },
  ]);
  expect(diagnostics).toHaveLength(2);
});
