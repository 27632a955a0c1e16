import { describe, expect, it } from 'vitest';
import { JinaReaderProvider } from '../../../src/web/index.ts';
import { startJina } from '../../doubles/jina.ts';
import { closing, failureOf, parts } from '../searching.ts';

const keep = closing();
const PUBLIC = async () => [{ address: '93.184.215.14', family: 4 }];

async function jina(settings = {}, resolve = PUBLIC as Parameters<typeof Object>[0]) {
  const double = keep(await startJina());
  const given = parts([double.url], { JINA_API_KEY: double.key });
  keep(given.egress);
  const urls = { baseUrl: double.url, searchBaseUrl: double.url };
  return { double, provider: new JinaReaderProvider({ ...urls, ...settings }, { ...given, resolve }) };
}

const KEY = { apiKey: { env: 'JINA_API_KEY' } };
const URL_ = 'https://example.org/a?b=c';

describe('a page', () => {
  it('is read as Markdown, with and without a key', async () => {
    for (const settings of [{}, KEY]) {
      const { double, provider } = await jina(settings);
      double.pages.set(URL_, {
        title: 'A &amp; B',
        content: '# A\n\ntext\n',
        publishedTime: 'Mon, 06 May 2024 07:08:09 GMT',
      });
      const answer = await provider.scrape(`${URL_}#part`);
      expect(answer).toMatchObject({
        url: `${URL_}#part`,
        finalUrl: URL_,
        title: 'A & B',
        content: '# A\n\ntext',
        publishedAt: '2024-05-06T07:08:09.000Z',
        provider: 'jina',
        citations: [{ sourceUrl: URL_, contentHash: answer.contentHash }],
      });
      const [request] = double.requests;
      expect(JSON.parse(String(request?.body))).toEqual({ url: URL_ });
      expect(request?.headers['authorization']).toBe(settings === KEY ? `Bearer ${double.key}` : undefined);
    }
  });

  it.each([
    'file:///etc/passwd',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://user@example.org/',
    'http://localhost/',
    'http://intranet/',
    'http://service.internal/',
    'http://10.0.0.8:8080/',
    'https://93.184.215.14/',
    'gopher://example.org/',
  ])('at %s is never sent to the service', async (url) => {
    const { double, provider } = await jina();
    expect(await failureOf(provider.scrape(url))).toMatchObject({ code: 'egress_blocked' });
    expect(double.requests).toHaveLength(0);
  });

  it('whose name leads to a private address is never sent either', async () => {
    const { double, provider } = await jina({}, async () => [{ address: '10.1.2.3', family: 4 }]);
    const error = await failureOf(provider.scrape(URL_));
    expect(error).toMatchObject({ code: 'egress_blocked' });
    expect(error.message).toContain('10.1.2.3');
    expect(double.requests).toHaveLength(0);
  });
});

describe('what the service refuses', () => {
  it('a page that cannot be opened is its answer, readable', async () => {
    const { provider } = await jina();
    const error = await failureOf(provider.scrape(URL_));
    expect(error).toMatchObject({
      code: 'upstream_status',
      status: 422,
      details: { code: 'AssertionFailureError' },
    });
  });

  it('no balance is 402, a blocked domain 451, a bad key a matter of credentials', async () => {
    const { double, provider } = await jina(KEY);
    double.blocked.add('example.org');
    expect(await failureOf(provider.scrape(URL_))).toMatchObject({ code: 'upstream_status', status: 451 });
    double.broke = true;
    expect(await failureOf(provider.scrape(URL_))).toMatchObject({ code: 'upstream_status', status: 402 });
    const { provider: wrong } = await jina({ apiKey: 'jina_wrong_1' });
    const error = await failureOf(wrong.scrape(URL_));
    expect(error).toMatchObject({ code: 'credentials_refused', status: 401 });
    expect(error.message).not.toContain('jina_wrong_1');
  });

  it('too often is `rate_limited` with the time to wait', async () => {
    const { double, provider } = await jina();
    double.answerNext({
      status: 429,
      headers: { 'retry-after': '7' },
      body: { name: 'RateLimitTriggeredError' },
    });
    expect(await failureOf(provider.scrape(URL_))).toMatchObject({
      code: 'rate_limited',
      details: { retryAfterSeconds: 7 },
    });
  });

  it('a refusal inside of an answer of 200 is a refusal', async () => {
    const { double, provider } = await jina();
    double.answerNext({
      status: 200,
      body: { code: 503, name: 'BudgetExceededError', message: 'later', data: null },
    });
    expect(await failureOf(provider.scrape(URL_))).toMatchObject({ code: 'upstream_status', status: 503 });
  });

  it('an answer without content is no page', async () => {
    const { double, provider } = await jina();
    double.answerNext({ status: 200, body: { code: 200, data: { title: 'x' } } });
    expect(await failureOf(provider.scrape(URL_))).toMatchObject({ code: 'upstream_failed' });
  });
});

describe('a search', () => {
  it('needs a key and gives uniform results', async () => {
    const { double, provider } = await jina(KEY);
    double.pages.set(URL_, { title: 'Teapots', content: 'Teapots of the world', description: 'On teapots' });
    const answer = await provider.search('Teapots', 5, { freshness: 'day' });
    expect(answer.results).toMatchObject([{ title: 'Teapots', url: URL_, snippet: 'On teapots' }]);
    expect(answer.warnings).toEqual(['jina does not search by freshness.']);
    const { provider: keyless } = await jina();
    expect(await failureOf(keyless.search('x', 5))).toMatchObject({ code: 'credentials_refused' });
  });
});
