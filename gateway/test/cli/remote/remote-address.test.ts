import { expect, it } from 'vitest';
import { narrowedAddress } from '../../../src/cli/options/narrowing-options.ts';
import { remoteAddress } from '../../../src/cli/remote/remote-address.ts';

it.each(['https://t.example.com', 'https://t.example.com/', 'https://t.example.com/mcp'])(
  'keeps what %s asks for of the list',
  (address) => {
    expect(remoteAddress(`${address}?topology=search&skill=hiring`)).toEqual({
      base: 'https://t.example.com',
      mcp: 'https://t.example.com/mcp?topology=search&skill=hiring',
      text: 'https://t.example.com?topology=search&skill=hiring',
    });
  },
);

it('says what a client wants no more of', () => {
  const address = narrowedAddress('https://t.example.com?topology=search', {
    source: ['a', 'b'],
    maxAccess: 'read',
  });
  expect(remoteAddress(address).mcp).toBe(
    'https://t.example.com/mcp?topology=search&source=a%2Cb&maxAccess=read',
  );
});

it('refuses what an address says that means nothing, rather than to leave it out', () => {
  expect(() => remoteAddress('https://t.example.com?topologie=search')).toThrow(/"topologie" means nothing/);
});
