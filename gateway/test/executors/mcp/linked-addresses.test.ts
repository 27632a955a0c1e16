import { expect, test } from 'vitest';
import { linkedAddresses } from '../../../src/executors/mcp/linked-addresses.ts';

test('links and embedded resources are told once each, other content not at all', () => {
  expect(
    linkedAddresses([
      { type: 'text', text: 'file:///no' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
      { type: 'resource', resource: { uri: 'file:///b', text: '' } },
      { type: 'resource_link', uri: 'file:///a', name: 'again' },
      { type: 'resource_link', uri: `file:///${'x'.repeat(5000)}`, name: 'long' },
    ]),
  ).toEqual(['file:///a', 'file:///b']);
});
