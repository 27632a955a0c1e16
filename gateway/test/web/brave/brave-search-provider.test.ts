import { describe, expect, it } from 'vitest';
import { BraveSearchProvider } from '../../../src/web/index.ts';
import { type BraveDouble, startBrave } from '../../doubles/brave.ts';
import { closing, failureOf, parts } from '../searching.ts';

const keep = closing();

async function brave(settings = {}): Promise<{ double: BraveDouble; provider: BraveSearchProvider }> {
  const double = keep(await startBrave());
  const given = parts([double.url], { BRAVE_API_KEY: double.key });
  keep(given.egress);
  return { double, provider: new BraveSearchProvider({ baseUrl: double.url, ...settings }, given) };
}

const page = (number: number) => ({
  title: `Page ${number}`,
  url: `https://example.org/${number}`,
  description: `About ${number}`,
});

describe('a search', () => {
  it('asks with the key in its header and gives uniform results with citations', async () => {
    const { double, provider } = await brave();
    double.pages.push({
      title: 'Caf&eacute; &amp; <strong>Bar</strong>',
      url: 'https://example.org/cafe',
      description: 'A &quot;caf&#233;&quot; in D&uuml;sseldorf&#x2026; &amp;lt;',
      page_age: '2024-05-06T07:08:09',
    });
    const answer = await provider.search('cafe', 10, { freshness: 'week', country: 'de', language: 'DE' });
    expect(answer).toEqual({
      query: 'cafe',
      provider: 'brave',
      results: [
        {
          title: 'Café & Bar',
          url: 'https://example.org/cafe',
          snippet: 'A "café" in Düsseldorf… &lt;',
          publishedAt: '2024-05-06T07:08:09.000Z',
          source: 'example.org',
          contentHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        },
      ],
      citations: [
        {
          sourceUrl: 'https://example.org/cafe',
          contentHash: answer.results[0]?.contentHash,
          title: 'Café & Bar',
        },
      ],
    });
    const [request] = double.requests;
    expect(request?.headers['x-subscription-token']).toBe(double.key);
    expect(Object.fromEntries(request?.query ?? [])).toMatchObject({
      q: 'cafe',
      count: '10',
      text_decorations: 'false',
      freshness: 'pw',
      country: 'DE',
      search_lang: 'de',
    });
  });

  it('that finds nothing is an empty list: `web` is absent', async () => {
    const { provider } = await brave();
    expect(await provider.search('nothing', 5)).toMatchObject({ results: [], citations: [] });
  });

  it.each([
    [1, ['1/0']],
    [20, ['20/0']],
    [30, ['20/0', '20/1']],
    [45, ['20/0', '20/1', '20/2']],
  ])('of %i results takes pages of at most 20', async (count, pages) => {
    const { double, provider } = await brave();
    double.pages.push(...Array.from({ length: 60 }, (_, index) => page(index)));
    const { results } = await provider.search('many', count);
    expect(results.map(({ title }) => title)).toEqual(
      Array.from({ length: count }, (_, index) => `Page ${index}`),
    );
    const asked = double.requests.map(({ query }) => new Map(query));
    expect(asked.map((one) => `${one.get('count')}/${one.get('offset') ?? 0}`)).toEqual(pages);
  });

  it('stops when there are no more pages', async () => {
    const { double, provider } = await brave();
    double.pages.push(page(1), page(2));
    expect((await provider.search('few', 50)).results).toHaveLength(2);
    expect(double.requests).toHaveLength(1);
  });

  it('keeps the first page when the second fails, and says so', async () => {
    const { double, provider } = await brave();
    double.pages.push(...Array.from({ length: 25 }, (_, index) => page(index)));
    double.limit(1, 60_000);
    const answer = await provider.search('many', 25, { patienceMs: 0 });
    expect(answer.results).toHaveLength(20);
    expect(answer.warnings?.[0]).toContain('Only the first 20 results');
  });
});

describe('a question too long for the API', () => {
  it.each([
    ['characters', 'word'.repeat(30) + ' ' + 'x'.repeat(390), 120],
    ['words', Array.from({ length: 70 }, () => 'ab').join(' '), 149],
    ['one endless word', 'x'.repeat(700), 400],
  ])('is cut to its first %s, which the answer says', async (_what, query, length) => {
    const { double, provider } = await brave();
    const { warnings, query: echoed } = await provider.search(query, 5);
    const sent = new Map(double.requests[0]?.query).get('q') ?? '';
    expect(sent).toHaveLength(length);
    expect(query.startsWith(sent)).toBe(true);
    expect(echoed).toBe(query);
    expect(warnings?.[0]).toContain('400 characters and 50 words');
  });
});

describe('rate limits', () => {
  it('are kept: the next question waits for the window that is used up', async () => {
    const { double, provider } = await brave();
    double.limit(1, 1000);
    double.pages.push(page(1));
    const started = Date.now();
    await provider.search('one', 5);
    await provider.search('two', 5);
    expect(Date.now() - started).toBeGreaterThanOrEqual(900);
    expect(double.requests.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('end the call when the window is longer than the caller is patient', async () => {
    const { double, provider } = await brave();
    double.limit(1, 60_000);
    await provider.search('one', 5);
    const error = await failureOf(provider.search('two', 5, { patienceMs: 400 }));
    expect(error).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(error.details?.['retryAfterSeconds']).toBeGreaterThan(50);
    expect(double.requests).toHaveLength(1);
  });

  it('that others used up: a 429 is repeated once the window begins anew', async () => {
    const { double, provider } = await brave();
    double.answerNext({
      status: 429,
      headers: { 'X-RateLimit-Remaining': '0, 100', 'X-RateLimit-Reset': '1, 900' },
      body: { type: 'ErrorResponse', error: { code: 'RATE_LIMITED', detail: 'slow down', status: 429 } },
    });
    double.pages.push(page(1));
    expect((await provider.search('one', 5)).results).toHaveLength(1);
    expect(double.requests.map(({ status }) => status)).toEqual([429, 200]);
  });

  it('of a plan without a monthly quota, whose window of nothing is always used up, keep nobody', async () => {
    const { double, provider } = await brave();
    const headers = {
      'X-RateLimit-Limit': '50, 0',
      'X-RateLimit-Policy': '50;w=1, 0;w=2678400',
      'X-RateLimit-Remaining': '49, 0',
      'X-RateLimit-Reset': '1, 1296193',
    };
    const body = { query: {}, web: { results: [] } };
    double.answerNext({ status: 200, headers, body }, { status: 200, headers, body });
    await provider.search('one', 5);
    await provider.search('two', 5, { patienceMs: 400 });
    expect(double.requests).toHaveLength(2);
  });

  it('that a gate before the API tells by Retry-After alone are kept, too', async () => {
    const { double, provider } = await brave();
    double.answerNext({ status: 429, headers: { 'Retry-After': '120' }, body: 'slow down' });
    const { code, details } = await failureOf(provider.search('one', 5, { patienceMs: 400 }));
    expect([code, details?.['retryAfterSeconds']]).toEqual(['rate_limited', 120]);
    expect(double.requests).toHaveLength(1);
  });

  it('never keep a caller beyond its deadline', async () => {
    const { double, provider } = await brave();
    double.limit(1, 60_000);
    await provider.search('one', 5);
    const error = await failureOf(
      provider.search('two', 5, { deadline: Date.now() + 500, patienceMs: 90_000 }),
    );
    expect(error.code).toBe('rate_limited');
  });
});

describe('what the API refuses', () => {
  it('a bad key is a matter of credentials, and is not in the message', async () => {
    const { provider, double } = await brave({ apiKey: 'wrong-key-123' });
    const error = await failureOf(provider.search('x', 5));
    expect(error).toMatchObject({ code: 'credentials_refused', status: 422 });
    expect(error.message).toContain('SUBSCRIPTION_TOKEN_INVALID');
    expect(error.message).not.toContain('wrong-key-123');
    expect(double.requests).toHaveLength(1);
  });

  it('a key that is not set never leads to a request', async () => {
    const double = keep(await startBrave());
    const given = parts([double.url]);
    keep(given.egress);
    const provider = new BraveSearchProvider({ baseUrl: double.url }, given);
    expect(await failureOf(provider.search('x', 5))).toMatchObject({ code: 'credentials_missing' });
    expect(double.requests).toHaveLength(0);
  });

  it.each([
    [{ status: 500, body: 'oops' }, 'upstream_status', 500],
    [{ status: 402, body: {} }, 'upstream_status', 402],
    [{ status: 403, body: {} }, 'credentials_refused', 403],
    [{ status: 200, body: 'no json' }, 'upstream_failed', 200],
    ['drop' as const, 'upstream_failed', undefined],
  ])('answer %j is %s', async (answer, code, status) => {
    const { provider, double } = await brave();
    double.answerNext(answer);
    expect(await failureOf(provider.search('x', 5))).toMatchObject({ code, status });
  });

  it('an answer that never comes ends with the deadline', async () => {
    const { provider, double } = await brave();
    double.holdUntil(new Promise(() => undefined));
    const error = await failureOf(provider.search('x', 5, { deadline: Date.now() + 500 }));
    expect(error.code).toBe('deadline_exceeded');
  });
});

describe('used alone, without a gateway', () => {
  it('opens a door of its own to its base URL, and closes it', async () => {
    const double = keep(await startBrave());
    double.pages.push(page(1));
    const provider = new BraveSearchProvider({ baseUrl: double.url, apiKey: double.key });
    expect((await provider.search('x', 1)).results).toHaveLength(1);
    await provider.close();
    expect(await failureOf(provider.search('x', 1))).toMatchObject({ code: 'cancelled' });
  });
});
