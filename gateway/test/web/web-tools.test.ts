import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../src/errors.ts';
import { chainOf, createWebTools, type SearchProvider, type WebSettings } from '../../src/web/index.ts';
import { startBrave } from '../doubles/brave.ts';
import { startJina } from '../doubles/jina.ts';
import { startSearxng } from '../doubles/searxng.ts';
import { html, startSite } from './direct/site.ts';
import { closing, failureOf, parts } from './searching.ts';

const keep = closing();

async function world() {
  const [brave, searxng, jina] = [
    keep(await startBrave()),
    keep(await startSearxng()),
    keep(await startJina()),
  ];
  brave.pages.push({ title: 'From Brave', url: 'https://example.org/b', description: 'b' });
  searxng.pages.push({ title: 'From SearXNG', url: 'https://example.org/s', content: 's' });
  const given = parts([brave.url, searxng.url, jina.url], { BRAVE_API_KEY: brave.key });
  keep(given.egress);
  const settings = {
    brave: { provider: 'brave', baseUrl: brave.url },
    searxng: { provider: 'searxng', baseUrl: searxng.url },
    jina: { provider: 'jina', baseUrl: jina.url },
  } as const;
  return { brave, searxng, jina, given, settings };
}

const titles = ({ results }: { results: readonly { title: string }[] }) => results.map(({ title }) => title);

describe('choosing another provider', () => {
  it('takes effect with the next call, while calls are under way', async () => {
    const { brave, given, settings } = await world();
    let current: WebSettings = { search: settings.brave };
    const tools = keep(createWebTools(() => current, given));
    const released = Promise.withResolvers<void>();
    brave.holdUntil(released.promise);
    const first = tools.search('x');
    await expect.poll(() => brave.requests).toHaveLength(1);
    current = { search: settings.searxng };
    expect(titles(await tools.search('x'))).toEqual(['From SearXNG']);
    released.resolve();
    expect(titles(await first)).toEqual(['From Brave']);
    expect(tools.originOf('searxng')).toBe(settings.searxng.baseUrl);
  });

  it('and back keeps what was learnt of its rate limit', async () => {
    const { brave, given, settings } = await world();
    brave.limit(1, 60_000);
    let current: WebSettings = { search: settings.brave };
    const tools = keep(createWebTools(() => current, given));
    await tools.search('x');
    current = { search: settings.searxng };
    await tools.search('x');
    current = { search: { ...settings.brave } };
    expect(await failureOf(tools.search('x', 5, { patienceMs: 0 }))).toMatchObject({ code: 'rate_limited' });
    expect(brave.requests).toHaveLength(1);
  });

  // every text has a method `search`
  it('takes a provider by its name alone', async () => {
    const { given, settings } = await world();
    const keyless = { ...given, secrets: parts([]).secrets! };
    const alone = keep(createWebTools({ search: 'brave' }, keyless));
    expect(await failureOf(alone.search('x'))).toMatchObject({ code: 'credentials_missing' });
    const followed = keep(createWebTools({ search: ['brave', settings.searxng] }, keyless));
    expect(await followed.search('x')).toMatchObject({
      provider: 'searxng',
      unavailable: [{ provider: 'brave', code: 'credentials_missing' }],
    });
  });

  it('takes providers of one’s own as they are', async () => {
    const own: SearchProvider = {
      name: 'mine',
      origin: 'https://mine.example',
      search: async (query) => ({ query, results: [], citations: [], provider: 'mine' }),
    };
    expect(await createWebTools({ search: own }).search('x')).toMatchObject({ provider: 'mine' });
  });

  it('closes what is no longer named, never what is in use', async () => {
    const { searxng, given, settings } = await world();
    let current: WebSettings = { search: settings.searxng };
    const tools = keep(createWebTools(() => current, given));
    const released = Promise.withResolvers<void>();
    searxng.holdUntil(released.promise);
    const slow = tools.search('x');
    searxng.answerNext();
    current = { search: { provider: 'searxng', baseUrl: settings.searxng.baseUrl, engines: ['e'] } };
    const others = Array.from({ length: 20 }, (_, index) => {
      current = {
        search: { provider: 'searxng', baseUrl: settings.searxng.baseUrl, engines: [`e${index}`] },
      };
      return tools.search('x');
    });
    released.resolve();
    expect((await Promise.all([slow, ...others])).every(({ results }) => results.length === 1)).toBe(true);
  });
});

describe('a chain', () => {
  it('asks the next where one cannot answer, and says why', async () => {
    const { brave, given, settings } = await world();
    brave.answerNext({ status: 503, body: 'down' });
    const tools = keep(createWebTools({ search: [settings.brave, settings.searxng] }, given));
    const answer = await tools.search('x');
    expect(titles(answer)).toEqual(['From SearXNG']);
    expect(answer).toMatchObject({
      provider: 'searxng',
      unavailable: [{ provider: 'brave', code: 'upstream_status', reason: 'brave answered 503.' }],
    });
    expect(await tools.search('x')).not.toHaveProperty('unavailable');
  });

  it.each([
    ['does not take connections', 'down', 'upstream_unreachable'],
    ['breaks off', 'drop', 'upstream_failed'],
    ['answers 500', { status: 500, body: 'x' }, 'upstream_status'],
    ['answers JSON of something else', { status: 200, body: { hello: 1 } }, 'upstream_failed'],
    ['answers null', { status: 200, body: null }, 'upstream_failed'],
    ['answers 402', { status: 402, body: {} }, 'upstream_status'],
    ['answers 451', { status: 451, body: {} }, 'upstream_status'],
    ['answers 403', { status: 403, body: {} }, 'credentials_refused'],
    ['has no key', 'keyless', 'credentials_missing'],
    ['is used up', 'limited', 'rate_limited'],
    ['hangs', 'hang', 'deadline_exceeded'],
  ] as const)('goes on when the first %s', async (_what, trouble, code) => {
    const { brave, given, settings } = await world();
    if (trouble === 'down') await brave.close();
    else if (trouble === 'hang') brave.holdUntil(new Promise(() => undefined));
    else if (trouble === 'limited') brave.limit(0, 60_000);
    else if (trouble === 'drop' || typeof trouble === 'object') brave.answerNext(trouble);
    const first = trouble === 'keyless' ? { ...settings.brave, apiKey: { env: 'NOT_SET' } } : settings.brave;
    const tools = keep(createWebTools({ search: [first, settings.searxng] }, given));
    const answer = await tools.search('x', 5, { deadline: Date.now() + 3000, patienceMs: 400 });
    expect(titles(answer)).toEqual(['From SearXNG']);
    expect(answer.unavailable).toMatchObject([{ provider: 'brave', code }]);
  });

  it('ends with the last one’s error, the others beside it', async () => {
    const { brave, searxng, given, settings } = await world();
    brave.answerNext({ status: 500, body: 'x' });
    searxng.answerNext({ status: 502, body: 'x' });
    const error = await failureOf(
      keep(createWebTools({ search: [settings.brave, settings.searxng] }, given)).search('x'),
    );
    expect(error).toMatchObject({
      code: 'upstream_status',
      status: 502,
      details: { unavailable: [{ provider: 'brave' }] },
    });
    expect(error.message).toContain('Asked before: brave: upstream_status');
  });

  it('stops when the caller goes away', async () => {
    const { brave, searxng, given, settings } = await world();
    brave.holdUntil(new Promise(() => undefined));
    const controller = new AbortController();
    const tools = keep(createWebTools({ search: [settings.brave, settings.searxng] }, given));
    const failing = failureOf(tools.search('x', 5, { signal: controller.signal }));
    await expect.poll(() => brave.requests).toHaveLength(1);
    controller.abort();
    expect(await failing).toMatchObject({ code: 'cancelled' });
    expect(searxng.requests).toHaveLength(0);
  });

  it('of scrapers goes on for a PDF, never past robots.txt or our address rules', async () => {
    const { jina, given, settings } = await world();
    const site = keep(
      await startSite({
        '/paper.pdf': { status: 200, headers: { 'content-type': 'application/pdf' }, body: '%PDF-' },
        '/private': html('<p>x'),
        '/robots.txt': { status: 200, body: 'User-agent: *\nDisallow: /private' },
      }),
    );
    const host = `site.example:${new URL(site.url).port}`;
    const resolve = async () => [{ address: '93.184.215.14', family: 4 }];
    jina.pages.set('https://papers.example/paper.pdf', { title: 'Paper', content: 'Abstract' });
    const direct = { provider: 'direct', allow: [host, site.host] } as const;
    const tools = keep(createWebTools({ scrape: [direct, settings.jina] }, { ...given, resolve }));
    expect(await failureOf(tools.scrape(`${site.url}/private`))).toMatchObject({ code: 'robots_disallowed' });
    expect(await failureOf(tools.scrape('http://10.0.0.1/'))).toMatchObject({ code: 'egress_blocked' });
    expect(jina.requests).toHaveLength(0);
    // The site is internal, so that the service must not hear of it either.
    expect(await failureOf(tools.scrape(`${site.url}/paper.pdf`))).toMatchObject({ code: 'egress_blocked' });
    expect(jina.requests).toHaveLength(0);
  });
});

describe('settings', () => {
  it.each([
    ['brave', ['brave']],
    [{ provider: 'brave', baseUrl: 'https://x.example' }, ['brave']],
    [
      ['brave', { provider: 'searxng', baseUrl: 'https://x.example' }],
      ['brave', 'searxng'],
    ],
    [undefined, []],
  ])('%j are the chain %j', (search, names) => {
    expect(chainOf({ search }, 'search').map(({ provider }) => provider)).toEqual(names);
  });

  it.each([['direct'], ['google'], [{ provider: '__proto__' }], [7], [[null]]])(
    '%j is no search provider',
    (search) => {
      expect(() => chainOf({ search }, 'search')).toThrow(ToolcribError);
    },
  );

  it('without a provider for what is asked say so', async () => {
    expect(await failureOf(createWebTools({}).retrieve('x'))).toMatchObject({
      code: 'configuration_invalid',
    });
  });
});
