import { expect, test } from 'vitest';
import { createLinkedResources } from '../../../src/assembly/upstreams/linked-resources.ts';

test('what one caller was referred to, another was not', () => {
  const linked = createLinkedResources();
  linked.note('files', ['a:'], 'ada');
  expect(linked.source('a:', 'ada')).toBe('files');
  expect(linked.source('a:', 'eve')).toBeUndefined();
});

test('the oldest go first', () => {
  const linked = createLinkedResources(2);
  linked.note('files', ['a:', 'b:'], 'ada');
  linked.note('files', ['a:', 'c:'], 'ada');
  expect(['a:', 'b:', 'c:'].map((uri) => linked.source(uri, 'ada'))).toEqual(['files', undefined, 'files']);
});

test('one caller with many takes nothing from another', () => {
  const linked = createLinkedResources(3);
  linked.note('files', ['a:'], 'ada');
  linked.note('files', ['b:', 'c:', 'd:', 'e:'], 'eve');
  expect(linked.source('a:', 'ada')).toBe('files');
  expect(['b:', 'c:', 'd:', 'e:'].map((uri) => linked.source(uri, 'eve'))).toEqual([
    undefined,
    undefined,
    'files',
    'files',
  ]);
});

test('who has the most may be another than who comes last', () => {
  const linked = createLinkedResources(2);
  linked.note('files', ['a:', 'b:'], 'ada');
  linked.note('files', ['c:'], 'eve');
  expect([linked.source('a:', 'ada'), linked.source('b:', 'ada'), linked.source('c:', 'eve')]).toEqual([
    undefined,
    'files',
    'files',
  ]);
});
