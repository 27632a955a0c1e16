import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createSkillFetcher, IMPORT_LIMITS } from '../../../src/skills/import/index.ts';
import { gzip, SKILL_MD, SKILL_PARTS, tar, zip } from './archives.ts';
import { contentOf, fetchPackages, temporaryFolder } from './importing.ts';

const closing: Array<() => void> = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server on loopback that the door lets through. */
async function serving(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = (path: string, options: { signal?: AbortSignal } = {}) =>
    fetchPackages({ kind: 'url', url: `http://${host}${path}` }, { allow: [host], ...options });
  return { host, get };
}

describe('addresses of files', () => {
  test.each([
    ['a .zip', zip(SKILL_PARTS)],
    ['a .tar.gz', gzip(tar(SKILL_PARTS.map((part) => ({ ...part, mode: part.mode & 0o777 }))))],
    ['a SKILL.md', Buffer.from(SKILL_MD)],
  ])('%s, after a redirect, of whatever type', async (_kind, bytes) => {
    const { get } = await serving(({ url }, response) => {
      if (url === '/latest') response.writeHead(302, { location: '/v1' }).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end(bytes);
    });
    expect(await contentOf(await get('/latest'))).toMatchObject({ 'line-counter/SKILL.md': SKILL_MD });
  });

  test('404 and 403 are said with their status, without what may be a secret in the address', async () => {
    const { get } = await serving(
      ({ url }, response) => void response.writeHead(url?.startsWith('/private') ? 403 : 404).end('no'),
    );
    await expect(get('/a.zip?token=hush')).rejects.toMatchObject({
      code: 'source_unreadable',
      status: 404,
      message: expect.not.stringContaining('hush'),
    });
    await expect(get('/private.zip')).rejects.toMatchObject({
      status: 403,
      next: expect.stringContaining('Only public addresses'),
    });
  });

  test('a server that sends less than it says', async () => {
    const bytes = zip(SKILL_PARTS);
    const { get } = await serving((_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length + 100 });
      response.write(bytes, () => response.destroy());
    });
    await expect(get('/a.zip')).rejects.toMatchObject({ code: 'upstream_failed' });
  });

  test('a server that never ends', async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    let sent = 0;
    const { get } = await serving((_request, response) => {
      const more = () => {
        sent += chunk.length;
        if (!response.destroyed) response.write(chunk, more);
      };
      more();
    });
    await expect(get('/endless')).rejects.toMatchObject({
      code: 'archive_refused',
      message: expect.stringContaining('sends more than'),
    });
    expect(sent).toBeLessThan(IMPORT_LIMITS.archiveBytes * 1.5);
  });

  test('a silent server is left when the caller goes away', async () => {
    const caller = new AbortController();
    const { get } = await serving((_request, response) => {
      response.writeHead(200).write('PK', () => caller.abort());
    });
    await expect(get('/a.zip', { signal: caller.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('what is neither a file nor a repository', async () => {
    const asked: string[] = [];
    const { get } = await serving(({ url }, response) => {
      asked.push(url!);
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    });
    await expect(get('/page')).rejects.toMatchObject({
      code: 'archive_refused',
      message: expect.stringContaining('is no .zip, .tar, .tar.gz, SKILL.md or git repository'),
    });
    expect(asked).toEqual(['/page', '/page/info/refs?service=git-upload-pack']);
  });

  test('redirects without end', async () => {
    const { get } = await serving(
      ({ url }, response) => void response.writeHead(302, { location: `${url}a` }).end(),
    );
    await expect(get('/a')).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});

describe('where imports may not go', () => {
  test.each([
    'http://127.0.0.1:9/a.zip',
    'http://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/r.git',
    'https://[::1]/a.zip',
    'https://localhost/a.tar.gz#main',
  ])('%s is refused by the door', async (url) => {
    await expect(fetchPackages({ kind: 'url', url })).rejects.toMatchObject({ code: 'egress_blocked' });
  });

  test('neither does a redirect lead there, for files and for repositories', async () => {
    const inside = vi.fn<RequestListener>((_request, response) => void response.end());
    const secret = await serving(inside);
    const { get } = await serving(({ url }, response) => {
      const target = `http://${secret.host}${url}`;
      response.writeHead(302, { location: target }).end();
    });
    for (const path of ['/a.zip', '/r.git'])
      await expect(get(path)).rejects.toMatchObject({ code: 'egress_blocked' });
    expect(inside).not.toHaveBeenCalled();
  });

  test('a redirect does not give up encryption', async () => {
    const answer = new Response(Uint8Array.from(zip(SKILL_PARTS)));
    Object.defineProperty(answer, 'url', { value: 'http://example.org/a.zip' });
    const fetcher = createSkillFetcher({ egress: { fetch: async () => answer } });
    await expect(
      fetcher(
        { kind: 'url', url: 'https://example.org/a.zip' },
        await temporaryFolder(),
        new AbortController().signal,
      ),
    ).rejects.toMatchObject({
      code: 'archive_refused',
      message: expect.stringContaining('without encryption'),
    });
  });

  test('an address with a password is not used', async () => {
    await expect(
      fetchPackages({ kind: 'url', url: 'https://user:hush@example.org/a.zip' }),
    ).rejects.toMatchObject({ code: 'egress_blocked', message: expect.not.stringContaining('hush') });
  });
});
