import { readFile, symlink, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptedEncodings } from '../../../src/server/console/accepted-encodings.ts';
import { CONSOLE_PAGES, isConsolePage } from '../../../src/server/console/page-paths.ts';
import { type HttpEndpoint, httpEndpoint } from '../http/http-endpoint.ts';
import { consoleFolder, INDEX, SCRIPT } from './console-folder.ts';

let built: Awaited<ReturnType<typeof consoleFolder>>;
let endpoint: HttpEndpoint;

beforeAll(async () => {
  built = await consoleFolder();
  endpoint = await httpEndpoint(
    { tools: [] } as never,
    { token: 'server-token' },
    {},
    { consoleFolder: built.folder },
  );
});
afterAll(async () => {
  await endpoint[Symbol.asyncDispose]();
  await built[Symbol.asyncDispose]();
});

/** The path as it is written, which `fetch` would tidy first; the body as it came. */
async function raw(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { hostname, port } = new URL(endpoint.url);
  const answered = Promise.withResolvers<IncomingMessage>();
  httpRequest({ hostname, port, path, method, headers }, answered.resolve).on('error', answered.reject).end();
  const message = await answered.promise;
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return { status: message.statusCode, headers: message.headers, body: Buffer.concat(chunks) };
}

describe('pages', () => {
  test.each(['/', '/calls', '/calls/0af3', '/tools/get%20pet', '/sign-in', '/settings/', '/index.html'])(
    '%s is the one page, and needs no credential',
    async (path) => {
      const { status, headers, body } = await raw(path);
      expect([status, headers['content-type'], body.toString()]).toEqual([
        200,
        'text/html; charset=utf-8',
        INDEX,
      ]);
      expect(headers['cache-control']).toBe('no-cache');
    },
  );

  test.each(['/tokens/x', '/calls/a/b', '/nowhere', '//calls', '/assets', '/calls/a//'])(
    '%s is none',
    async (path) => {
      const { status, body } = await raw(path);
      expect([status, JSON.parse(body.toString()).error.code]).toEqual([404, 'not_found']);
    },
  );

  test('the same page is not sent twice', async () => {
    const first = await raw('/');
    const tag = first.headers.etag!;
    const again = await raw('/calls', { 'if-none-match': `"other", W/${tag}` });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, tag]);
    expect((await raw('/', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('a new build is seen without a restart', async () => {
    const page = join(built.folder, 'index.html');
    const before = (await raw('/')).headers.etag!;
    await writeFile(page, `${INDEX}<!-- newer -->`);
    const after = await raw('/', { 'if-none-match': before });
    await writeFile(page, INDEX);
    expect([after.status, after.body.toString()]).toEqual([200, `${INDEX}<!-- newer -->`]);
  });

  test('HEAD says the same without the page; other methods find nothing', async () => {
    const head = await raw('/', {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
      200,
      String(INDEX.length),
      0,
    ]);
    expect((await raw('/', {}, 'POST')).status).toBe(404);
  });
});

test('nothing but its own files: no code or style in the page, no frames, no other origin', async () => {
  for (const path of ['/', '/assets/app-1a2b.js']) {
    const { headers } = await raw(path);
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(headers['permissions-policy']).toContain('camera=()');
  }
});

test('the guards of every other route apply', async () => {
  expect((await raw('/', { host: 'evil.example.com' })).status).toBe(403);
  expect((await raw('/', { origin: 'https://evil.example.com' })).status).toBe(403);
  expect((await raw('/assets/app-1a2b.js', { host: 'evil.example.com' })).status).toBe(403);
});

describe('files', () => {
  test.each([
    ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
    ['gzip', 'gzip, br;q=0', gunzipSync],
    [undefined, 'identity', (bytes: Buffer) => bytes],
    [undefined, undefined, (bytes: Buffer) => bytes],
  ])('compressed as %s for %j', async (encoding, accept, decode) => {
    const { status, headers, body } = await raw(
      '/assets/app-1a2b.js',
      accept === undefined ? {} : { 'accept-encoding': accept },
    );
    expect([status, headers['content-encoding'], headers['content-type']]).toEqual([
      200,
      encoding,
      'text/javascript; charset=utf-8',
    ]);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      'content-length': String(body.length),
    });
    expect(decode(body).toString()).toBe(SCRIPT);
  });

  test('one without compressed copies is sent as it is', async () => {
    const { headers, body } = await raw('/assets/app-1a2b.css', { 'accept-encoding': 'br' });
    expect([headers['content-encoding'], headers['content-type'], body.toString()]).toEqual([
      undefined,
      'text/css; charset=utf-8',
      ':root{color:red}',
    ]);
  });

  test('what has no hash in its name is asked for again', async () => {
    const { headers } = await raw('/icon.svg');
    expect([headers['cache-control'], headers['content-type']]).toEqual([
      'no-cache',
      'image/svg+xml; charset=utf-8',
    ]);
  });

  test('a name tells what encodings a client takes', () => {
    const names = (header: string | null) => acceptedEncodings(header).map(({ name }) => name);
    expect(names('*')).toEqual(['br', 'gzip']);
    expect(names('*;q=0, gzip;q=0.5')).toEqual(['gzip']);
    expect(names('GZIP ; q=1.0')).toEqual(['gzip']);
    expect(names('br;q=zero')).toEqual([]);
    expect(names('')).toEqual([]);
    expect(names(null)).toEqual([]);
  });
});

describe('nothing outside the folder', () => {
  test.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/..%5csecret.txt',
    '/..\\secret.txt',
    '/assets/..\\..\\secret.txt',
    '/assets/app-1a2b.js%00.svg',
    '/%00',
    '/.secret.txt',
    '/assets/.hidden.js',
    '//secret.txt',
    '/assets//secret.txt',
    '/assets/app-1a2b.js.br',
    '/notes.md',
    '/assets/missing.js',
  ])('%s', async (path) => {
    const { status, body } = await raw(path);
    // 400: no path at all, in the eyes of what reads requests
    expect([400, 404]).toContain(status);
    expect(body.toString()).not.toContain('not for the web');
  });

  test('a link that leads out, or to itself, is none of its files', async () => {
    await symlink(join(built.parent, 'secret.txt'), join(built.folder, 'assets', 'linked.txt'));
    await symlink(join(built.folder, 'assets', 'loop.txt'), join(built.folder, 'assets', 'loop.txt'));
    expect((await raw('/assets/linked.txt')).status).toBe(404);
    expect((await raw('/assets/loop.txt')).status).toBe(404);
  });
});

describe('a path that nobody has', () => {
  const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  test('is a page for a browser, with the way to the console, and JSON for everybody else', async () => {
    const page = await raw('/nowhere/%3Cb%3E?x=<i>', BROWSER);
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    const html = page.body.toString();
    expect(html).toContain('There is no GET /nowhere/');
    expect(html).toContain('<a href="/">');
    expect(html).not.toMatch(/<b>|<i>/);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect((await raw('/api/v1/nowhere', BROWSER)).body.toString()).toContain('/api/v1/openapi.json');
    for (const accept of ['*/*', 'application/json', 'text/html;q=0, application/json']) {
      const { status, body } = await raw('/nowhere', { accept });
      expect([status, JSON.parse(body.toString()).error.code]).toEqual([404, 'not_found']);
    }
    const head = await raw('/nowhere', BROWSER, 'HEAD');
    expect([head.status, head.headers['content-type'], head.body.length]).toEqual([
      404,
      'text/html; charset=utf-8',
      0,
    ]);
  });

  test('leads to no console where there is none', async () => {
    await using none = await httpEndpoint({ tools: [] } as never);
    const html = await (await none.request('/nowhere', { headers: BROWSER })).text();
    expect(html).toContain('<p class="problem" role="alert">There is no GET /nowhere.</p>');
    expect(html).not.toContain('href="/"');
  });
});

describe('a console that is not there', () => {
  test('is told to a person and to a program, with what to do', async () => {
    await using empty = await httpEndpoint(
      { tools: [] } as never,
      {},
      {},
      { consoleFolder: join(built.parent, 'none') },
    );
    const page = await empty.request('/', { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('npm run build -w console');
    const [status, body] = await empty.json('/calls');
    expect([status, body]).toMatchObject([
      404,
      { error: { code: 'not_found', next: expect.stringContaining('npm run build -w console') } },
    ]);
    expect((await empty.request('/assets/app-1a2b.js')).status).toBe(404);
  });

  test('is no route at all where it is switched off', async () => {
    await using none = await httpEndpoint({ tools: [] } as never);
    expect(await none.json('/')).toMatchObject([404, { error: { message: 'There is no GET /.' } }]);
  });
});

test('the pages are those of the console', async () => {
  const registry = new URL('../../../../console/src/app/page-registry.ts', import.meta.url);
  const paths = [...(await readFile(registry, 'utf8')).matchAll(/\bpage\('([^']+)'/g)].map(
    ([, path]) => path!,
  );
  expect(paths.length).toBeGreaterThan(5);
  expect([...CONSOLE_PAGES].filter((path) => path !== '/').sort()).toEqual(paths.sort());
  for (const path of paths) {
    expect([path, isConsolePage(path.replace(/:\w+\??/, 'x'))]).toEqual([path, true]);
  }
});
