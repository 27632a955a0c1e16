import { describe, expect, it } from 'vitest';
import { createWebTools, SearxngProvider } from '../../../src/web/index.ts';
import { startSearxng } from '../../doubles/searxng.ts';
import { closing, failureOf, parts } from '../searching.ts';

const keep = closing();
const EMPTY = { query: 'x', results: [], citations: [] };

async function searxng(settings = {}) {
  const double = keep(await startSearxng());
  const given = parts([double.url], { SEARXNG_KEY: 'gate-key-1' });
  keep(given.egress);
  return { double, provider: new SearxngProvider({ baseUrl: `${double.url}/`, ...settings }, given) };
}

const page = (number: number) => ({
  title: `P${number}`,
  url: `https://example.org/${number}`,
  content: `c${number}`,
});

describe('a SearXNG instance', () => {
  it('is asked page by page until there is enough, each address once', async () => {
    const { double, provider } = await searxng();
    double.pages.push(...Array.from({ length: 25 }, (_, index) => page(index)), page(3));
    const { results } = await provider.search('x', 15);
    expect(results.map(({ title }) => title)).toEqual(Array.from({ length: 15 }, (_, index) => `P${index}`));
    expect(double.requests).toHaveLength(2);
  });

  it('is told of time and language; what it cannot do is said', async () => {
    const { double, provider } = await searxng({
      engines: ['duckduckgo'],
      safesearch: 1,
      apiKey: { env: 'SEARXNG_KEY' },
    });
    double.unresponsive.push(['google', 'CAPTCHA']);
    double.pages.push({ ...page(1), publishedDate: '2024-05-06T00:00:00' });
    const answer = await provider.search('x', 1, { freshness: 'year', language: 'fr', country: 'FR' });
    expect(answer.results[0]?.publishedAt).toBe('2024-05-06T00:00:00.000Z');
    expect(answer.warnings).toEqual([
      'searxng does not search by country.',
      'searxng: google did not answer (CAPTCHA).',
    ]);
    expect(Object.fromEntries(double.requests[0]?.query ?? [])).toEqual({
      q: 'x',
      format: 'json',
      pageno: '1',
      engines: 'duckduckgo',
      safesearch: '1',
      time_range: 'year',
      language: 'fr',
    });
    expect(double.requests[0]?.headers['authorization']).toBe('Bearer gate-key-1');
  });

  it('that does not offer JSON says 403, and the error says why', async () => {
    const { double, provider } = await searxng();
    double.offersJson = false;
    const error = await failureOf(provider.search('x', 5));
    expect(error.message).toMatch(/ search\.formats\?$/);
  });

  it.each([
    ['an object', { hello: 1 }],
    ['null', null],
  ])('whose address answers with %s is another service, not one that found nothing', async (_what, body) => {
    const { double, provider } = await searxng();
    double.answerNext({ status: 200, body });
    expect(await failureOf(provider.search('x', 5))).toMatchObject({
      code: 'upstream_failed',
      next: expect.stringContaining('address'),
    });
  });

  it('says how long it is to be left alone', async () => {
    const { double, provider } = await searxng();
    double.answerNext({ status: 429, headers: { 'Retry-After': '120' }, body: 'slow down' });
    const { code, details } = await failureOf(provider.search('x', 5));
    expect([code, details?.['retryAfterSeconds']]).toEqual(['rate_limited', 120]);
  });

  it.each([
    [401, 'the key'],
    [404, 'the address'],
    [503, 'call again later'],
  ])('that answers %i: the next step names %s', async (status, named) => {
    const { double, provider } = await searxng();
    double.answerNext({ status, body: '<html></html>' });
    expect((await failureOf(provider.search('x', 5))).next).toContain(named);
  });

  // as Searx 1.1.0 answers
  it('says which argument it does not take', async () => {
    const { provider } = await searxng();
    const error = await failureOf(provider.search('x', 5, { language: 'zz' }));
    expect(error.message).toBe('searxng answered 400: Invalid value "zz" for parameter language.');
  });

  // Searx 1.1.0 answers 200 with no results and [["slow", "timeout"], ["broken", "HTTP error"]]
  it('that finds nothing since its engines do not answer fails where another is asked next', async () => {
    const { double, provider } = await searxng();
    double.unresponsive.push(['slow', 'timeout'], ['broken', 'HTTP error']);
    const warnings = [
      'searxng: slow did not answer (timeout).',
      'searxng: broken did not answer (HTTP error).',
    ];
    expect(await provider.search('x', 5)).toMatchObject({ results: [], warnings });
    const own = {
      name: 'own',
      origin: 'https://own.example',
      search: async () => ({ ...EMPTY, provider: 'own' }),
    };
    const tools = createWebTools({ search: [provider, own] });
    expect(await tools.search('x', 5)).toMatchObject({
      provider: 'own',
      unavailable: [
        {
          provider: 'searxng',
          code: 'upstream_failed',
          reason: 'searxng found nothing: slow did not answer (timeout), broken did not answer (HTTP error).',
        },
      ],
    });
    double.pages.push(page(1));
    expect(await tools.search('x', 5)).toMatchObject({ provider: 'searxng', warnings });
  });

  // of Searx 1.1.0, engines without time ranges say nothing
  it('says that few engines search by time where nothing is found', async () => {
    const { double, provider } = await searxng();
    const asked = () => provider.search('x', 1, { freshness: 'week' });
    expect((await asked()).warnings).toEqual([expect.stringContaining('engines that search by time')]);
    double.pages.push(page(1));
    expect((await asked()).warnings).toBeUndefined();
  });

  it('that is not there is unreachable', async () => {
    const { double, provider } = await searxng();
    await double.close();
    expect(await failureOf(provider.search('x', 5))).toMatchObject({ code: 'upstream_unreachable' });
  });
});
