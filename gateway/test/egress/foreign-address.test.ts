import { describe, expect, it } from 'vitest';
import { createForeignCheck } from '../../src/egress/foreign-address.ts';

const FROM = new URL('https://api.example.com/');
const TO = new URL('http://files.example:8080/x');
const settings = {
  allow: ['http://files.example:8080', 'intranet.example'],
  redirects: ['intranet.example'],
};
const answering = (address: string) => async () => [{ address, family: address.includes(':') ? 6 : 4 }];
const fails = async () => {
  throw new Error('asked');
};
const PRIVATE = ['10.0.0.7', '127.0.0.1', '169.254.169.254', 'fd00::1'];
const BLOCKED = {
  kind: 'egress_blocked',
  sent: 'none',
  message: expect.stringContaining('the configuration names it for others'),
};

describe('a redirect', () => {
  it.each(PRIVATE)('to a name of another source that means %s is not followed', async (address) => {
    const check = createForeignCheck(settings, answering(address));
    await expect(check(TO, { from: FROM })).rejects.toMatchObject(BLOCKED);
    await expect(check(TO, { from: FROM, named: [FROM.origin] })).rejects.toMatchObject(BLOCKED);
  });

  it('to a name of another source that means a public address is followed', async () => {
    await createForeignCheck(settings, answering('93.184.216.34'))(TO, { from: FROM });
  });

  it('asks nobody about what the operator lists, within one origin, about what is not named, or is named for its own source, and where the proxy resolves', async () => {
    const check = createForeignCheck(settings, fails);
    await check(new URL('http://elsewhere.example/'), { from: FROM });
    await check(new URL('http://files.example:8080/y'), { from: TO, named: [] });
    await check(new URL('http://intranet.example/'), { from: FROM });
    await check(TO, { from: FROM, named: [TO.origin] });
    const proxy = { url: 'http://proxy.example:3128', resolve: 'proxy' as const, bypass: [] };
    await createForeignCheck({ ...settings, proxy }, fails)(TO, { from: FROM });
    for (const redirects of [undefined, [...settings.allow].reverse()])
      await createForeignCheck({ allow: settings.allow, ...(redirects && { redirects }) }, fails)(TO, {
        from: FROM,
      });
  });

  it('finds nothing more opened by a list that names one thing twice', async () => {
    const redirects = ['intranet.example', 'intranet.example'];
    const check = createForeignCheck({ ...settings, redirects }, answering('10.0.0.7'));
    await expect(check(TO, { from: FROM })).rejects.toMatchObject({ kind: 'egress_blocked' });
  });
});

describe('the address of a request', () => {
  it.each(PRIVATE)('that is named for another source and means %s is refused', async (address) => {
    const check = createForeignCheck(settings, answering(address));
    await expect(check(TO, { named: [] })).rejects.toMatchObject(BLOCKED);
    await expect(check(TO, { named: ['http://files.example'] })).rejects.toMatchObject(BLOCKED);
  });

  it("may be public, its own, the list's, or what nobody asks about", async () => {
    await createForeignCheck(settings, answering('93.184.216.34'))(TO, { named: [] });
    const check = createForeignCheck(settings, fails);
    await check(TO, { named: [TO.origin] });
    await check(TO, {});
    await check(new URL('http://intranet.example:81/'), { named: [] });
    await check(new URL('http://elsewhere.example/'), { named: [] });
  });

  it('is looked at as it is written before a name is asked for', async () => {
    const literal = { allow: ['http://10.0.0.7'], redirects: [] };
    const to = new URL('http://10.0.0.7/');
    await expect(createForeignCheck(literal, fails)(to, { named: [] })).rejects.toMatchObject(BLOCKED);
  });
});
