import { expect, it } from 'vitest';
import { topologyChoice } from '../../../src/assembly/listing/topology-choice.ts';
import { parseConfiguration } from '../../../src/config/index.ts';
import type { Grants } from '../../../src/operations/index.ts';
import { wishesOf } from '../../../src/server/mcp/http/address.ts';

const KNOWN = ['flat', 'base', 'categories', 'by-harm', 'Readers2'];

it.each([
  ['base', 'base'],
  ['a name of the server that it comes from', 'base', 'base_only'],
  ['another of these', 'categories', 'categories_only'],
  ["an embedder's own", 'by-harm'],
  ["an embedder's own in other letters", 'Readers2'],
  ['a name that no topology has', 'flat', 'bse'],
])('the address of a client asks for %s', async (_what, expected, asked = expected) => {
  const configuration = await parseConfiguration(
    { topology: 'flat', sources: { shop: { openapi: './shop.json' } } } as never,
    { env: {}, baseDirectory: '/' },
  );
  const wishes = wishesOf(new Request(`http://127.0.0.1/mcp?topology=${asked}`));
  const choose = topologyChoice(
    configuration,
    { principal: { id: 'local', kind: 'local' }, roles: [] } as unknown as Grants,
    { followsLists: true, ...wishes },
    (name) => KNOWN.includes(name),
  );
  expect(choose('shop')).toBe(expected);
});
