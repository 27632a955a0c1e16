import { describe, expect, it } from 'vitest';
import { checkRedirect, checkUrl } from '../../src/egress/index.ts';

const PUBLIC = [{ address: '93.184.215.14', family: 4 }];
const resolve = async () => PUBLIC;
const answering = (...addresses: string[]) => ({
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
});

describe('URLs', () => {
  it.each([
    'http://example.com./',
    'https://example.com:8443/a@b',
    'https://example.com/?next=http://user@host',
    'http://metadata.example.com/',
    'http://localhost.com/',
    'https://münchen.de/',
    'HTTP://EXAMPLE.COM',
    'http://example.metadata/',
    `http://${'a'.repeat(63)}.com/`,
    `http://${'a.'.repeat(125)}com/`,
  ])('%s passes', async (url) => {
    expect(await checkUrl(url, { resolve })).toMatchObject({
      allow: true,
      addresses: [{ address: '93.184.215.14' }],
    });
  });

  it('of another scheme are refused by its name', async () => {
    expect(await checkUrl('javascript:alert(1)', { resolve })).toMatchObject({
      reason: expect.stringContaining('not javascript: refused before anything was sent'),
    });
  });

  it.each([
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['ws://example.com/', 'scheme'],
    ['//example.com/', 'not absolute'],
    ['http://', 'no host'],
    ['http://2130706433/', '127.0.0.1 as a number'],
    ['http://0177.1/', 'octal and short'],
    ['http://①②⑦.0.0.1/', 'digits that are folded'],
    ['http://[::127.0.0.1]/', 'IPv4-compatible'],
    ['http://LOCALHOST/', 'this machine'],
    ['http://db.localhost./', 'this machine'],
    ['http://METADATA.google.internal/', 'metadata by name'],
    ['http://x.metadata.google.internal/', 'below a metadata name'],
    ['http://metadata/', 'metadata by short name'],
    ['http://user:password@example.com/', 'user information'],
    ['http://@example.com/', 'empty user information'],
    ['http:\\\\@example.com/', 'empty user information behind backslashes'],
    ['ht\ntp://@example.com/', 'empty user information behind a line break'],
    [' http://@example.com/', 'empty user information behind a space'],
    ['http:@example.com/', 'empty user information without slashes'],
    ['http://example.com../', 'empty label'],
    [`http://${'a.'.repeat(126)}com/`, 'name too long'],
    [`http://${'a'.repeat(64)}.com/`, 'label too long'],
  ])('%s is refused: %s', async (url) => {
    expect(await checkUrl(url, { resolve })).toMatchObject({ allow: false, addresses: [] });
  });
});

describe('names whose address counts for nothing', () => {
  it.each([
    'metadata',
    'metadata.google.internal',
    'metadata.goog',
    'metadata.azure.internal',
    'metadata.tencentyun.com',
    'metadata.packet.net',
    'metadata.platformequinix.com',
    'api.metadata.cloud.ibm.com',
    'x.metadata.goog',
    'instance-data',
    'instance-data.ec2.internal',
    'rancher-metadata',
    'localhost',
    'localhost.localdomain',
    'localhost6',
    'localhost6.localdomain6',
    'ip6-localhost',
    'ip6-loopback',
    'loopback',
  ])('%s', async (name) => {
    expect(await checkUrl(`http://${name}/`, { resolve })).toMatchObject({ allow: false });
    expect(await checkUrl(`http://${name}/`, { resolve, allow: [name] })).toMatchObject({ allow: true });
  });
});

describe('DNS answers', () => {
  it.each([
    [['10.0.0.5']],
    [['93.184.215.14', '10.0.0.5']],
    [['93.184.215.14', '::1']],
    [['::ffff:8.8.8.8']],
    [['169.254.169.254']],
    [['999.1.1.1']],
    [['fe80::1%eth0']],
    [[]],
  ])('%j refuses the name', async (addresses) => {
    expect(await checkUrl('https://api.example.com/', answering(...addresses))).toMatchObject({
      allow: false,
    });
  });

  it('refuses a name that cannot be resolved, and says so', async () => {
    const failing = async () => {
      throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    };
    const verdict = await checkUrl('https://nowhere.example/', { resolve: failing });
    expect(verdict).toMatchObject({ allow: false, reason: expect.stringContaining('ENOTFOUND') });
  });

  it('gives every address with its family', async () => {
    const both = answering('93.184.215.14', '2606:4700:4700::1111');
    expect((await checkUrl('https://api.example.com/', both)).addresses).toEqual([
      { address: '93.184.215.14', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ]);
  });

  it('says why without what would change a terminal, and in short', async () => {
    for (const url of [`\x1b[2J${'x'.repeat(500)}`, 'https://api.example.com/']) {
      const { reason } = await checkUrl(url, answering(`\x1b[2J${'x'.repeat(500)}`));
      expect(reason).toMatch(/^[ -~]{20,250}$/);
    }
  });

  it('asks once, so that what was checked is what is used', async () => {
    let queries = 0;
    const rebinding = async () => (queries++ === 0 ? PUBLIC : [{ address: '127.0.0.1', family: 4 }]);
    const verdict = await checkUrl('https://rebind.example/', { resolve: rebinding });
    expect(verdict.addresses).toEqual([{ address: '93.184.215.14', family: 4 }]);
  });
});

describe('allowed destinations', () => {
  it.each([
    ['intranet.example', 'http://intranet.example/', ['10.0.0.5'], true],
    ['intranet.example', 'http://other.example/', ['10.0.0.5'], false],
    ['localhost', 'http://localhost:3000/', ['127.0.0.1', '::1'], true],
    ['intranet.example', 'http://intranet.example/', ['169.254.169.254'], false],
    ['intranet.example', 'http://intranet.example/', ['::ffff:169.254.169.254'], false],
    ['intranet.example', 'http://intranet.example/', ['64:ff9b::a9fe:a9fe'], false],
    ['intranet.example', 'http://intranet.example/', ['999.1.1.1'], false],
    ['169.254.169.254', 'http://169.254.169.254/latest', [], true],
    // who is allowed an address has not allowed every name that leads to it
    ['169.254.169.254', 'http://other.example/', ['169.254.169.254'], false],
    ['metadata.google.internal', 'http://metadata.google.internal/', ['169.254.169.254'], false],
  ])('%s: %s at %j: %s', async (entry, url, addresses, allow) => {
    expect(await checkUrl(url, { ...answering(...addresses), allow: [entry] })).toMatchObject({ allow });
  });
});

describe('redirects', () => {
  const from = 'https://api.example.com/v1/a';
  it.each([
    ['/b', true, true],
    ['https://API.example.com:443/b', true, true],
    ['https://api.example.com:8443/b', true, false],
    ['http://api.example.com/b', true, false],
    ['//evil.example/b', true, false],
    ['https://api.example.com.evil.example/', true, false],
    ['http://169.254.169.254/', false, false],
    ['\\\\127.0.0.1\\share', false, false],
    ['https://user@api.example.com/b', false, false],
    ['//@api.example.com/b', false, false],
    ['data:text/plain,x', false, false],
    ['http://[::1', false, false],
  ])('to %s: followed %s, with credentials %s', async (location, allow, keepCredentials) => {
    expect(await checkRedirect({ from, location, status: 302 }, { resolve })).toMatchObject({
      allow,
      keepCredentials,
    });
  });

  it('from what is no URL goes nowhere', async () => {
    const verdict = await checkRedirect({ from: 'nowhere', location: '/b', status: 302 }, { resolve });
    expect(verdict).toMatchObject({ allow: false, keepCredentials: false });
  });
});
