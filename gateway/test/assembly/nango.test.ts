import { expect, it } from 'vitest';
import { ownsNangoConnection } from '../../src/assembly/nango.ts';
import { createEgress } from '../../src/egress/index.ts';
import { startNango } from '../doubles/nango.ts';

it('a connection is looked for in the Nango of its source, where another has an integration of that name', async () => {
  const [first, second] = await Promise.all([startNango(), startNango()]);
  const egress = createEgress({ allow: [first.url, second.url] });
  try {
    const held = { integration: 'lever', credentials: { type: 'API_KEY', apiKey: 'key-1234567890' } };
    first.add({ ...held, id: 'of-ann', endUser: { id: 'ann' } });
    second.add({ ...held, id: 'of-ben', endUser: { id: 'ben' } });
    second.add({ ...held, id: 'of-ann', endUser: { id: 'ben' } });
    const sources = Object.fromEntries(
      [first, second].map(({ url: baseUrl, secretKey }, at) => [
        `lever${at}`,
        { credentials: { nango: { integration: 'lever', baseUrl, secretKey } } },
      ]),
    );
    const owns = (user: string, source: string, connection: string) =>
      ownsNangoConnection(
        { configuration: { sources } as never, egress },
        { integration: 'lever', connection },
        { organisation: 'acme', user, source, asking: user },
      );
    expect(await owns('ann', 'lever1', 'of-ann')).toBe(false);
    expect(await owns('ben', 'lever1', 'of-ben')).toBe(true);
    expect(await owns('ann', 'lever0', 'of-ann')).toBe(true);
    expect(await owns('ann', 'nothing', 'of-ann')).toBe(false);
  } finally {
    await egress.close();
    await Promise.all([first.close(), second.close()]);
  }
});
