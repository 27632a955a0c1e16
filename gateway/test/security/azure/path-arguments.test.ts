import { describe, expect, it } from 'vitest';
import { type Office, openOffice } from '../../azure-seed/support/office.ts';
import { inPath, operation, twice } from '../../doubles/arm/connectors/writing.ts';
import { connected, envelopes, hostile } from './support/hostile-connector.ts';

const CONNECTOR = hostile('box', {
  '/{connectionId}/one/{id}': { get: operation('One', 'One', [inPath('id')]) },
  '/{connectionId}/two/{id}/tail': { get: operation('Two', 'Two', [twice('id')]) },
  "/{connectionId}/rooms(name='{id}')": { get: operation('Three', 'Three', [inPath('id')]) },
  '/{connectionId}/{first}/{second}': { get: operation('Four', 'Four', [inPath('first'), inPath('second')]) },
  '/{connectionId}/{left}.{right}': { get: operation('Five', 'Five', [inPath('left'), inPath('right')]) },
});

const open = (): Promise<Office> =>
  openOffice({ arm: { connectors: [CONNECTOR], connections: [connected('box')] } });

const REFUSED = [
  '.',
  '..',
  '../other/dynamicInvoke',
  'a/../../other',
  '..;/other',
  '..\\other',
  ' .. ',
  '..\t',
  '\n..',
  '%2e%2e',
  '%252e%252e%252fother',
  '%25252e%25252e',
  '..%2fother',
  '%5c',
  '..%00/',
  '%u002e%u002e',
  '%c0%ae%c0%ae%c0%af',
  '\ud800',
];
/** Odd, and of one segment once they are encoded. */
const KEPT = [
  'a?b=c',
  'a#b',
  '//evil.example',
  'https://evil.example',
  '{connectionId}',
  '\u2024\u2024',
  '．．／',
];

describe.each(['box_one', 'box_two', 'box_three'])('%s', (tool) => {
  it('refuses what would leave its segment, before anything is sent', async () => {
    const office = await open();
    for (const id of REFUSED) {
      const { error } = await office.call(tool, { id });
      expect([id, error?.code, envelopes(office.arm)]).toEqual([id, 'arguments_invalid', []]);
    }
  });

  it('keeps in its place what is only odd', async () => {
    const office = await open();
    for (const id of KEPT) {
      office.arm.forget();
      const { error } = await office.call(tool, { id });
      const { invocations, escaped } = office.arm;
      expect([error, invocations.map(({ pathValues }) => pathValues), escaped]).toEqual([
        undefined,
        [{ id }],
        [],
      ]);
    }
  });
});

describe('two arguments', () => {
  it.each([
    [{ first: '', second: 'evil.example' }, 'box_four'],
    [{ left: '', right: '' }, 'box_five'],
    [{ left: '.', right: '.' }, 'box_five'],
  ])('%j do together what neither may alone: refused', async (args, tool) => {
    const office = await open();
    expect((await office.call(tool, args)).error?.code).toBe('arguments_invalid');
    expect(envelopes(office.arm)).toEqual([]);
  });
});
