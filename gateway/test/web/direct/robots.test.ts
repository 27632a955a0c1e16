import { describe, expect, it } from 'vitest';
import type { Answer } from '../../doubles/loopback-service.ts';
import { closing, failureOf } from '../searching.ts';
import { html, redirect, scraperFor, startSite } from './site.ts';

const keep = closing();
const PAGE = html('<p>Some words');
const rules = (text: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: text,
});

async function outcome(robots: Answer | undefined, path = '/private/page', settings = {}): Promise<string> {
  const site = keep(
    await startSite({
      [path.split('?')[0]!]: PAGE,
      ...(robots === undefined ? {} : { '/robots.txt': robots }),
    }),
  );
  const scraper = keep(scraperFor(site, settings));
  return scraper.scrape(`${site.url}${path}`).then(
    () => 'read',
    (error: { code: string }) => error.code,
  );
}

describe('robots.txt', () => {
  it.each([
    ['names nobody', 'Sitemap: https://example.org/map', 'read'],
    ['is empty', '', 'read'],
    ['disallows everyone', 'User-agent: *\nDisallow: /private/', 'robots_disallowed'],
    ['disallows others', 'User-agent: otherbot\nDisallow: /', 'read'],
    [
      'disallows us by name',
      'User-agent: toolcrib\nDisallow: /\n\nUser-agent: *\nAllow: /',
      'robots_disallowed',
    ],
    ['disallows everyone but us', 'User-agent: *\nDisallow: /\n\nUser-agent: Toolcrib\nAllow: /', 'read'],
    ['lets the longer rule win', 'User-agent: *\nDisallow: /\nAllow: /private/page', 'read'],
    [
      'lets the longer rule win, the other way',
      'User-agent: *\nAllow: /\nDisallow: /private',
      'robots_disallowed',
    ],
    ['has a wildcard', 'User-agent: *\nDisallow: /*/page$', 'robots_disallowed'],
    [
      'has groups with several names',
      'User-agent: a\nUser-agent: toolcrib\nDisallow: /private',
      'robots_disallowed',
    ],
    [
      'has comments and odd line ends',
      '# hi\r\nUser-agent: * # all\r\nDisallow: /private # no\r\n',
      'robots_disallowed',
    ],
    ['encodes what need not be', 'User-agent: *\nDisallow: /%70rivate/', 'robots_disallowed'],
    ['is rubbish', '<html><body>404</body></html>', 'read'],
  ])('that %s', async (_what, text, expected) => {
    expect(await outcome(rules(text))).toBe(expected);
  });

  it.each(['/%70rivate/page', '/%70%72ivate/p%61ge', '/a/../private/page'])(
    'keeps from %s as from what it means',
    async (path) => {
      expect(await outcome(rules('User-agent: *\nDisallow: /private/'), path)).toBe('robots_disallowed');
    },
  );

  it('speaks of the query too', async () => {
    expect(await outcome(rules('User-agent: *\nDisallow: /*?session='), '/p?session=1')).toBe(
      'robots_disallowed',
    );
  });

  it.each([
    ['is not there', undefined, 'read'],
    ['is forbidden (4xx: no rules)', { status: 403, body: 'no' }, 'read'],
    ['is gone', { status: 410, body: 'gone' }, 'read'],
    ['fails (5xx: everything is disallowed)', { status: 503, body: 'later' }, 'robots_disallowed'],
    ['breaks off', 'drop' as never, 'upstream_failed'],
    ['redirects without an end', redirect('/robots.txt'), 'upstream_failed'],
  ])('that %s', async (_what, robots, expected) => {
    if ((robots as unknown) !== 'drop') return expect(await outcome(robots)).toBe(expected);
    const site = keep(await startSite({ '/': PAGE }));
    site.answerNext('drop');
    expect(await failureOf(keep(scraperFor(site)).scrape(site.url))).toMatchObject({ code: expected });
  });

  it('is found through up to five redirects', async () => {
    const site = keep(await startSite({ '/p': PAGE, '/robots.txt': redirect('/r1') }));
    for (const step of [1, 2, 3, 4]) site.routes[`/r${step}`] = redirect(`/r${step + 1}`);
    site.routes['/r5'] = rules('User-agent: *\nDisallow: /p');
    expect(await failureOf(keep(scraperFor(site)).scrape(`${site.url}/p`))).toMatchObject({
      code: 'robots_disallowed',
    });
  });

  it('is read before the page, once for many pages', async () => {
    const site = keep(
      await startSite({ '/a': PAGE, '/b': PAGE, '/robots.txt': rules('User-agent: *\nDisallow: /b') }),
    );
    const scraper = keep(scraperFor(site));
    await scraper.scrape(`${site.url}/a`);
    expect(await failureOf(scraper.scrape(`${site.url}/b`))).toMatchObject({ code: 'robots_disallowed' });
    expect(site.paths()).toEqual(['/robots.txt', '/a']);
  });

  it('that could not be reached is asked again with the next call', async () => {
    const site = keep(await startSite({ '/a': PAGE }));
    const scraper = keep(scraperFor(site));
    site.answerNext('drop');
    await failureOf(scraper.scrape(`${site.url}/a`));
    expect((await scraper.scrape(`${site.url}/a`)).content).toBe('Some words');
  });

  it('counts for the target of a redirect', async () => {
    const other = keep(
      await startSite({ '/secret': PAGE, '/robots.txt': rules('User-agent: *\nDisallow: /secret') }),
    );
    const site = keep(await startSite({ '/': redirect(`${other.url}/secret`) }));
    const scraper = keep(scraperFor(site, { allow: [site.host, other.host] }));
    expect(await failureOf(scraper.scrape(site.url))).toMatchObject({ code: 'robots_disallowed' });
    expect(other.paths()).toEqual(['/robots.txt']);
  });

  it('one caller who goes away does not take it from the others', async () => {
    const released = Promise.withResolvers<void>();
    const site = keep(
      await startSite({ '/a': PAGE, '/robots.txt': () => released.promise.then(() => rules('')) }),
    );
    const scraper = keep(scraperFor(site));
    const controller = new AbortController();
    const first = failureOf(scraper.scrape(`${site.url}/a`, { signal: controller.signal }));
    const second = scraper.scrape(`${site.url}/a`);
    controller.abort();
    expect(await first).toMatchObject({ code: 'cancelled' });
    released.resolve();
    expect((await second).content).toBe('Some words');
    expect(site.paths().filter((path) => path === '/robots.txt')).toHaveLength(1);
  });

  it('is not asked for where the operator says so', async () => {
    expect(await outcome(rules('User-agent: *\nDisallow: /'), '/p', { robots: 'ignore' })).toBe('read');
  });

  it('of hostile size does not stop the gateway while it is judged', async () => {
    const site = keep(
      await startSite({
        '/a': PAGE,
        '/robots.txt': rules(
          `User-agent: *\nDisallow: /a\n${'Disallow:*a*a*a*a*a*a*a*a*a*a\n'.repeat(15_000)}`,
        ),
      }),
    );
    let longest = 0;
    let last = performance.now();
    const ticking = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 10);
    const error = await failureOf(keep(scraperFor(site)).scrape(`${site.url}/a?${'a'.repeat(1900)}`));
    clearInterval(ticking);
    expect(['robots_disallowed', 'upstream_failed']).toContain(error.code);
    expect(longest).toBeLessThan(2000);
  });

  it('that names robots over and over is judged as if it named each once', async () => {
    const agents = 'User-agent: *\n%55ser-agent: other\n'.repeat(2000);
    const group = `${agents}${'Disallow: /*a*b\n'.repeat(2000)}`;
    expect(await outcome(rules(`${group}Disallow: /private/`))).toBe('robots_disallowed');
    expect(await outcome(rules(`${group}User-agent: toolcrib\nDisallow: /else`))).toBe('read');
  });

  it.each([
    ['to the group before it', 'User-agent: *\nUser-agent: b\nDisallow: /private', 'robots_disallowed'],
    [
      'to none of another robot',
      'User-agent: b\nDisallow: /private\nUser-agent: *\nUser-agent: *\nDisallow: /x',
      'read',
    ],
    [
      'to a second group of one name',
      'User-agent: *\nDisallow: /x\nUser-agent: *\nDisallow: /private',
      'robots_disallowed',
    ],
    [
      'to a name with a version, in any case',
      'USER-AGENT: ToolCrib/9\nDisallow: /private',
      'robots_disallowed',
    ],
    [
      'to nobody, behind a name that is empty',
      'User-agent: *\nDisallow: /x\nUser-agent:\nDisallow: /private',
      'read',
    ],
  ])('whose rule belongs %s', async (_what, text, expected) => {
    expect(await outcome(rules(text))).toBe(expected);
  });

  it('names the product of another user agent', async () => {
    const text = 'User-agent: acmebot\nDisallow: /';
    expect(await outcome(rules(text), '/p', { userAgent: 'AcmeBot/2.0 (+https://acme.example)' })).toBe(
      'robots_disallowed',
    );
  });
});
