import { expect, it } from 'vitest';
import { createForeignCheck } from '../../src/egress/foreign-redirect.ts';

const FROM = new URL('https://api.example.com/');
const TO = new URL('http://files.example:8080/x');
const settings = {
  allow: ['http://files.example:8080', 'intranet.example'],
  redirects: ['intranet.example'],
};
const answering = (address: string) => async () => [{ address, family: address.includes(':') ? 6 : 4 }];

it.each(['10.0.0.7', '127.0.0.1', '169.254.169.254', 'fd00::1'])(
  'a name of another source that means %s is not followed',
  async (address) => {
    const check = createForeignCheck(settings, answering(address));
    await expect(check(FROM, TO)).rejects.toMatchObject({ kind: 'egress_blocked', sent: 'none' });
  },
);

it('a name of another source that means a public address is followed', async () => {
  await createForeignCheck(settings, answering('93.184.216.34'))(FROM, TO);
});

it('asks nobody about what the operator lists, within one origin, about what is not named, and where the proxy resolves', async () => {
  const fails = async () => {
    throw new Error('asked');
  };
  const check = createForeignCheck(settings, fails);
  await check(FROM, new URL('http://elsewhere.example/'));
  await check(TO, new URL('http://files.example:8080/y'));
  await check(FROM, new URL('http://intranet.example/'));
  const proxy = { url: 'http://proxy.example:3128', resolve: 'proxy' as const, bypass: [] };
  await createForeignCheck({ ...settings, proxy }, fails)(FROM, TO);
  for (const redirects of [undefined, [...settings.allow].reverse()])
    await createForeignCheck({ allow: settings.allow, ...(redirects && { redirects }) }, fails)(FROM, TO);
});

it('a list that names one thing twice opens nothing more', async () => {
  const redirects = ['intranet.example', 'intranet.example'];
  const check = createForeignCheck({ ...settings, redirects }, answering('10.0.0.7'));
  await expect(check(FROM, TO)).rejects.toMatchObject({ kind: 'egress_blocked' });
});
