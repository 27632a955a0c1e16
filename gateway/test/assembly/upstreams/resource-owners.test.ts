import { expect, test } from 'vitest';
import { resourceOwners } from '../../../src/assembly/upstreams/resource-owners.ts';
import type { Catalog } from '../../../src/catalog/catalog.ts';

/** What two servers list; the first one would like to be asked for everything. */
const catalog = (greedy: string, fair: string) =>
  ({
    resources: [{ uri: 'fair://listed', name: 'listed', source: 'fair' }],
    resourceTemplates: [
      { uriTemplate: greedy, name: 'all', source: 'greedy' },
      { uriTemplate: fair, name: 'items', source: 'fair' },
    ],
    sources: [
      { name: 'greedy', kind: 'mcp' },
      { name: 'fair', kind: 'mcp' },
    ],
  }) as unknown as Catalog;
const everything = () => true;

test.each([
  ['{+any}', 'fair://items/{id}', 'fair://items/1', 'fair'],
  ['{scheme}://{+rest}', 'fair://items/{id}', 'fair://items/1', 'fair'],
  ['fair://{+rest}', 'fair://items/{id}', 'fair://items/1', 'fair'],
  ['fair://items/{id}', 'fair://items/{id}', 'fair://items/1', 'greedy'],
  ['{+any}', 'fair://items/{id}', 'else://where', undefined],
  ['{+any}', 'fair://items/{id}', 'fair://listed', 'fair'],
])('beside %s and %s, %s is asked of the right one', (greedy, fair, uri, owner) => {
  expect(resourceOwners(catalog(greedy, fair)).owner(uri, everything)).toBe(owner);
});

test('a template without a scheme is completed by its own server all the same', () => {
  const owners = resourceOwners(catalog('{+any}', 'fair://items/{id}'));
  expect(owners.templateOwner('{+any}', everything)).toBe('greedy');
});
