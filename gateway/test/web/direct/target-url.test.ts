import { describe, expect, it } from 'vitest';
import { targetUrl } from '../../../src/web/direct/target-url.ts';
import { DirectScraper } from '../../../src/web/index.ts';
import { startConnectProxy } from '../../egress/connect-proxy.ts';
import { closing, failureOf } from '../searching.ts';
import { html, redirect, scraperFor, startSite } from './site.ts';

const keep = closing();

/** Every notation of an address that is no name, and names that are not public. */
const REFUSED = [
  'file:///etc/passwd',
  'ftp://example.org/',
  'gopher://example.org/',
  'data:text/html,hi',
  'javascript:alert(1)',
  'http://127.0.0.1/',
  'http://127.1/',
  'http://0177.0.0.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0/',
  'http://0.0.0.0:8080/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://１２７.0.0.1/',
  'http://127。0。0。1/',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://a.localhost/',
  'http://intranet/',
  'http://printer.local/',
  'http://db.internal/',
  'http://router.lan/',
  'http://1.0.0.127.in-addr.arpa/',
  'http://user:password@example.org/',
  'http://127.0.0.1@example.org/',
];

describe('the address of a page', () => {
  it.each(REFUSED)('%s is refused before anything is sent', async (url) => {
    const scraper = keep(new DirectScraper({}, { resolve: async () => expect.fail('a name was resolved') }));
    const error = await failureOf(scraper.scrape(url));
    expect(error.code).toBe('egress_blocked');
    expect(error.message).toContain('refused before anything was sent');
  });

  it.each(['', 'example.org', '/path', 'http://', 'http://[bad'])('%j is no address', async (url) => {
    expect(await failureOf(keep(new DirectScraper()).scrape(url))).toMatchObject({
      code: 'arguments_invalid',
      pointer: '/url',
    });
  });

  it.each(['http://example.org/', 'https://example.org:8443/a?b#c', 'https://bücher.example/'])(
    '%s may be read',
    (url) => {
      expect(targetUrl(url).protocol).toMatch(/^https?:$/);
    },
  );

  it('longer than 2,048 characters is refused', async () => {
    const error = await failureOf(
      keep(new DirectScraper()).scrape(`https://example.org/${'a'.repeat(3000)}`),
    );
    expect(error.code).toBe('arguments_invalid');
  });
});

describe('a public name', () => {
  it.each([
    ['10.0.0.1', 4],
    ['127.0.0.1', 4],
    ['169.254.169.254', 4],
    ['::1', 6],
    ['fd00::1', 6],
    ['::ffff:10.0.0.1', 6],
  ])('that leads to %s is refused', async (address, family) => {
    const scraper = keep(new DirectScraper({}, { resolve: async () => [{ address, family }] }));
    expect(await failureOf(scraper.scrape('http://rebinding.example/'))).toMatchObject({
      code: 'egress_blocked',
    });
  });

  it('with one public and one private address is refused', async () => {
    const resolve = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '192.168.0.10', family: 4 },
    ];
    const scraper = keep(new DirectScraper({}, { resolve }));
    expect(await failureOf(scraper.scrape('http://mixed.example/'))).toMatchObject({
      code: 'egress_blocked',
    });
  });
});

describe('a proxy', () => {
  it('is asked for the address that was checked here, also where it resolves names for APIs', async () => {
    const proxy = await startConnectProxy({ leadsTo: '127.0.0.1:9', refuse: () => 403 });
    const resolve = async () => [{ address: '93.184.215.14', family: 4 }];
    const scraper = keep(
      new DirectScraper({ robots: 'ignore' }, { resolve, proxy: { url: proxy.origin, resolve: 'proxy' } }),
    );
    expect(await failureOf(scraper.scrape('http://example.org/'))).toMatchObject({
      code: 'upstream_unreachable',
      message: expect.stringContaining('does not lead to example.org (403)'),
    });
    expect(proxy.asked.map(({ target }) => target)).toEqual(['93.184.215.14:80']);
    await proxy.close();
  });
});

describe('a redirect', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://0x7f.1/',
    'file:///etc/passwd',
    'http://localhost/',
    '//192.168.0.1/x',
    'https://8.8.8.8/',
    'http://user@example.org/',
  ])('to %s is refused', async (location) => {
    const site = keep(await startSite({ '/': redirect(location) }));
    const error = await failureOf(keep(scraperFor(site)).scrape(site.url));
    expect(error.code).toBe('egress_blocked');
  });

  it('to a name with a private address is refused', async () => {
    const site = keep(await startSite({ '/': redirect('http://other.example/') }));
    const resolve = async () => [{ address: '10.0.0.1', family: 4 }];
    const scraper = keep(new DirectScraper({ allow: [site.host] }, { resolve }));
    expect(await failureOf(scraper.scrape(site.url))).toMatchObject({ code: 'egress_blocked' });
  });

  it('of robots.txt to a private address ends the call the same way', async () => {
    const site = keep(
      await startSite({ '/': html('<p>x'), '/robots.txt': redirect('http://10.0.0.1/robots.txt') }),
    );
    expect(await failureOf(keep(scraperFor(site)).scrape(site.url))).toMatchObject({
      code: 'egress_blocked',
    });
  });
});

describe('an internal site', () => {
  it('is read where the operator allows it for pages, by port', async () => {
    const site = keep(await startSite({ '/': html('<p>Our wiki') }));
    const other = keep(await startSite({ '/': html('<p>Our database') }));
    const scraper = keep(scraperFor(site));
    expect((await scraper.scrape(site.url)).content).toBe('Our wiki');
    expect(await failureOf(scraper.scrape(other.url))).toMatchObject({ code: 'egress_blocked' });
    expect(other.requests).toHaveLength(0);
  });

  it('by its name', async () => {
    const site = keep(await startSite({ '/': html('<p>Our wiki') }));
    const host = `wiki.internal:${new URL(site.url).port}`;
    const scraper = keep(
      new DirectScraper({ allow: [host] }, { resolve: async () => [{ address: '127.0.0.1', family: 4 }] }),
    );
    expect((await scraper.scrape(`http://${host}/`)).content).toBe('Our wiki');
  });
});
