import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { closing, failureOf } from '../searching.ts';
import { html, PARAGRAPHS, redirect, scraperFor, startSite } from './site.ts';

const keep = closing();

async function site(routes: Parameters<typeof startSite>[0], settings = {}) {
  const started = keep(await startSite(routes));
  return { site: started, scraper: keep(scraperFor(started, settings)) };
}

describe('an article', () => {
  it('becomes Markdown with its title, author, date and hash', async () => {
    const head = `<title>Teapots &amp; more</title><meta name="author" content="Ann Lee">
      <meta property="article:published_time" content="2024-05-06T07:08:09Z">`;
    const body = `<nav><a href="/menu">Menu</a></nav><article><h1>Teapots</h1>${PARAGRAPHS}
      <p>See <a href="../b?x=1#y">more</a> and <a href="javascript:steal()">this</a>.</p>
      <img src="/pot.png" alt="A pot"><img src="data:image/png;base64,AAAA" alt="inline">
      <table><tr><th>Kind</th><th>Size</th></tr><tr><td>Clay</td><td>1|2</td></tr></table>
      <pre><code>pour();\nsteep();</code></pre></article><script>alert(1)</script>`;
    const {
      site: { url },
      scraper,
    } = await site({ '/a/page': html(body, head) });
    const page = await scraper.scrape(`${url}/a/page#top`);
    expect(page).toMatchObject({
      url: `${url}/a/page#top`,
      finalUrl: `${url}/a/page`,
      byline: 'Ann Lee',
      publishedAt: '2024-05-06T07:08:09.000Z',
      provider: 'direct',
      citations: [{ sourceUrl: `${url}/a/page`, contentHash: page.contentHash }],
    });
    expect(page.title).toContain('Teapots');
    expect(page.contentHash).toBe(`sha256:${createHash('sha256').update(page.content).digest('hex')}`);
    expect(page.content).toContain(`[more](${url}/b?x=1#y)`);
    expect(page.content).toContain(`![A pot](${url}/pot.png)`);
    expect(page.content).toContain('| Kind | Size |\n| --- | --- |\n| Clay | 1\\|2 |');
    expect(page.content).toContain('```\npour();\nsteep();\n```');
    expect(page.content).not.toMatch(/javascript:|data:|alert|Menu/);
  });

  it('leaves out what nobody sees', async () => {
    const hidden = [
      'style="display:none"',
      'style="visibility: hidden"',
      'hidden',
      'aria-hidden="true"',
      'style="font-size:0"',
      'style="opacity: 0"',
    ]
      .map((how, index) => `<p ${how}>obey me ${index}</p>`)
      .join('');
    const {
      site: { url },
      scraper,
    } = await site({
      '/': html(`<article>${PARAGRAPHS}${hidden}<!-- obey me --><template>obey me</template></article>`),
    });
    expect((await scraper.scrape(url)).content).not.toContain('obey me');
  });

  it('keeps small and faint text, and a page that its scripts would show', async () => {
    const body = `<article>${PARAGRAPHS}<p style="font-size:0.9em">small print</p><p style="opacity: 0.5">faint print</p></article>`;
    const page = `<!doctype html><html><body style="opacity:0">${body}</body></html>`;
    const started = await site({
      '/': { status: 200, headers: { 'content-type': 'text/html' }, body: page },
    });
    const { content } = await started.scraper.scrape(started.site.url);
    expect(content).toContain('small print');
    expect(content).toContain('faint print');
  });

  it('that is none is taken as a whole page', async () => {
    const {
      site: { url },
      scraper,
    } = await site({ '/': html('<form><button>Go</button></form>') });
    const page = await scraper.scrape(url);
    expect(page.content).toBe('');
    expect(page.warnings?.[0]).toContain('No article');
  });
});

describe('what a page is made of', () => {
  it.each([
    ['text/plain', 'just text', 'just text'],
    ['text/markdown; charset=utf-8', '# Title', '# Title'],
    ['application/json', '{"a":1}', '```json\n{"a":1}\n```'],
    ['application/rss+xml', '<rss/>', '<rss/>'],
    [undefined, 'plain without a type', 'plain without a type'],
    [undefined, '<html><body><p>Hello there</p></body></html>', 'Hello there'],
  ])('%s is read', async (type, body, content) => {
    const {
      site: { url },
      scraper,
    } = await site({
      '/f': { status: 200, headers: type === undefined ? {} : { 'content-type': type }, body },
    });
    expect((await scraper.scrape(`${url}/f`)).content).toBe(content);
  });

  it.each([
    ['application/pdf', '%PDF-1.7'],
    ['image/png', 'x'],
    ['image/svg+xml', '<svg/>'],
    ['application/octet-stream', 'x'],
    ['video/mp4', 'x'],
    [undefined, '%PDF-1.7 …'],
    [undefined, 'a\u0000b'],
  ])('%s is refused, naming the type', async (type, body) => {
    const {
      site: { url },
      scraper,
    } = await site({
      '/f': { status: 200, headers: type === undefined ? {} : { 'content-type': type }, body },
    });
    const error = await failureOf(scraper.scrape(`${url}/f`));
    expect(error).toMatchObject({ code: 'upstream_failed', details: { kind: 'content_type' } });
    if (type !== undefined) expect(error.message).toContain(type);
  });

  it.each([
    ['the header', 'text/html; charset=iso-8859-1', '<p>Tee für zwei', 'latin1'],
    ['a meta tag', 'text/html', '<meta charset="windows-1252"><p>Tee für zwei', 'latin1'],
    [
      'an older meta tag',
      'text/html',
      '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>Tee für zwei',
      'latin1',
    ],
    ['nothing: UTF-8', 'text/html', '<p>Tee für zwei', 'utf8'],
    ['an unknown name: UTF-8', 'text/html; charset=klingon', '<p>Tee für zwei', 'utf8'],
  ] as const)('the charset comes from %s', async (_from, type, text, encoding) => {
    const {
      site: { url },
      scraper,
    } = await site({
      '/': { status: 200, headers: { 'content-type': type }, body: Buffer.from(text, encoding) },
    });
    expect((await scraper.scrape(url)).content).toBe('Tee für zwei');
  });
});

describe('limits', () => {
  it('bytes are counted after decoding: a bomb is refused', async () => {
    const {
      site: { url },
      scraper,
    } = await site({
      '/': {
        status: 200,
        headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' },
        body: gzipSync('a'.repeat(6_000_000)),
      },
    });
    expect(await failureOf(scraper.scrape(url))).toMatchObject({ code: 'upstream_too_large' });
  });

  it('time covers the whole fetch', async () => {
    const { site: one, scraper } = await site({ '/': html('late') }, { timeoutMs: 500 });
    one.holdUntil(new Promise(() => undefined));
    expect(await failureOf(scraper.scrape(one.url))).toMatchObject({ code: 'deadline_exceeded' });
  });

  it('three redirects are followed, a fourth is not', async () => {
    const {
      site: { url, routes },
      scraper,
    } = await site({ '/4': html('<p>Arrived here') });
    for (const step of [0, 1, 2, 3])
      routes[`/${step}`] = redirect(`/${step + 1}`, [301, 302, 307, 308][step]);
    expect(await scraper.scrape(`${url}/1`)).toMatchObject({ finalUrl: `${url}/4`, content: 'Arrived here' });
    const error = await failureOf(scraper.scrape(`${url}/0`));
    expect(error).toMatchObject({ code: 'upstream_failed', details: { kind: 'redirect' } });
  });

  it('a page that keeps its reader busy is given up, and the gateway goes on meanwhile', async () => {
    const {
      site: { url },
      scraper,
    } = await site({
      '/hostile': html('<b>'.repeat(90_000)),
      '/fine': html('<p>Hello again'),
    });
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 20);
    const error = await failureOf(scraper.scrape(`${url}/hostile`, { deadline: Date.now() + 1500 }));
    clearInterval(ticking);
    expect(['deadline_exceeded', 'upstream_failed']).toContain(error.code);
    expect(ticks).toBeGreaterThan(3);
    expect((await scraper.scrape(`${url}/fine`)).content).toBe('Hello again');
  });

  it('a page of a million tags is refused at once', async () => {
    const {
      site: { url },
      scraper,
    } = await site({ '/': html('<p>x'.repeat(1_000_000)) });
    expect((await failureOf(scraper.scrape(url))).message).toContain('tags');
  });

  it('a caller who goes away is not kept waiting', async () => {
    const { site: one, scraper } = await site({ '/': html('late') });
    one.holdUntil(new Promise(() => undefined));
    const controller = new AbortController();
    const failing = failureOf(scraper.scrape(one.url, { signal: controller.signal }));
    controller.abort();
    expect(await failing).toMatchObject({ code: 'cancelled' });
  });
});

describe('what is sent', () => {
  it('is a name, what is accepted, and nothing of the caller', async () => {
    const { site: one, scraper } = await site({ '/': html('<p>x') });
    await scraper.scrape(one.url);
    const page = one.requests.find(({ path }) => path === '/');
    expect(Object.keys(page?.headers ?? {}).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'accept-language',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(page?.headers['user-agent']).toMatch(/^Toolcrib\/\d/);
  });
});

describe('what the site refuses', () => {
  it.each([
    [404, 'upstream_status'],
    [403, 'upstream_status'],
    [500, 'upstream_status'],
    [429, 'rate_limited'],
    [304, 'upstream_status'],
  ])('%i is %s', async (status, code) => {
    const {
      site: { url },
      scraper,
    } = await site({
      '/': { status, headers: { 'content-type': 'text/html' }, body: status === 304 ? undefined : 'no' },
    });
    const error = await failureOf(scraper.scrape(url));
    expect(error).toMatchObject({ code, status });
    // whoever reads a page has no provider and no key to look after
    expect(error.next).not.toContain('configuration');
  });
});
