import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSourceReader, RecordingReader } from '../../../src/assembly/compiling/source-reader.ts';
import { createEgress, type Egress } from '../../../src/egress/index.ts';
import { type LoopbackService, startLoopbackService } from '../../doubles/loopback-service.ts';

const { signal } = new AbortController();
const PLACE = 'sources.flows.n8n.apiKey';
let service: LoopbackService;
let elsewhere: LoopbackService;
let egress: Egress;
let folder: string;
beforeAll(async () => {
  service = await startLoopbackService('', ({ path }) => {
    if (path === '/moved') return { status: 302, headers: { location: `${elsewhere.url}/` } };
    return { status: path === '/closed' ? 401 : 200, body: {} };
  });
  elsewhere = await startLoopbackService('', () => ({ status: 200, body: {} }));
  egress = createEgress({ allow: [service.url, elsewhere.url] });
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-reader-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  service.forget();
  elsewhere.forget();
});
afterAll(async () => {
  await egress.close();
  await Promise.all([service.close(), elsewhere.close(), rm(folder, { recursive: true })]);
});

const reader = () => createSourceReader(egress, async () => new Uint8Array());
const key = (reference: string | { env: string } | { file: string }) => ({
  headers: { 'X-Api-Key': reference },
  place: PLACE,
});

it('an error names the address without its user and its query', async () => {
  const { host, port } = new URL(service.url);
  const path = '/closed';
  for (const [address, shown] of [
    [`${service.url}${path}?token=in-the-query`, `${service.url}${path}`],
    [`http://user:in-the-user@${host}${path}`, `${service.url}${path}`],
    [`http://127.0.0.2:${port}${path}?sig=in-the-query`, `http://127.0.0.2:${port}${path}`],
  ] as const) {
    const error = await reader()
      .read(address, signal)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'source_unreadable',
      message: expect.stringContaining(`Cannot read ${shown}:`),
      location: shown,
    });
    expect((error as Error).message).not.toMatch(/in-the/);
  }
});

describe('an address that wants a credential', () => {
  it('gets it from the value, the environment or a file, when it is asked', async () => {
    const file = join(folder, 'key');
    await writeFile(file, 'from-file\n');
    vi.stubEnv('READER_KEY', 'from-environment');
    for (const reference of ['itself', { env: 'READER_KEY' }, { file }]) {
      await reader().read(`${service.url}/`, signal, key(reference));
    }
    expect(service.requests.map(({ headers }) => headers['x-api-key'])).toEqual([
      'itself',
      'from-environment',
      'from-file',
    ]);
  });

  it('is not asked at all without it', async () => {
    const reading = reader().read(`${service.url}/`, signal, key({ env: 'READER_KEY_NOT_SET' }));
    await expect(reading).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining(PLACE),
    });
    expect(service.requests).toEqual([]);
  });

  it('is told with its place when it refuses, never with the value', async () => {
    const reading = reader().read(`${service.url}/closed`, signal, key('secret-value'));
    await expect(reading).rejects.toMatchObject({
      code: 'source_unreadable',
      next: expect.stringContaining(PLACE),
    });
    await expect(reading).rejects.not.toThrow(/secret-value/);
  });

  it('is told to want one, and where it goes, where it is shown none', async () => {
    await expect(reader().read(`${service.url}/closed`, signal)).rejects.toMatchObject({
      code: 'source_unreadable',
      next: expect.stringContaining('openapi: { document'),
    });
  });

  it('does not pass it on to another origin', async () => {
    await reader().read(`${service.url}/moved`, signal, key('secret-value'));
    expect(elsewhere.requests).toHaveLength(1);
    expect(elsewhere.requests[0]!.headers).not.toHaveProperty('x-api-key');
  });

  it('is recorded under a name that no cache compares, and an open one under its own', async () => {
    const recording = new RecordingReader(reader());
    await recording.read(`${service.url}/`, signal, key('itself'));
    await recording.read(`${service.url}/open`, signal);
    expect(recording.inputs.map(({ location }) => location)).toEqual([
      `authorized:${service.url}/`,
      `${service.url}/open`,
    ]);
  });
});

describe('a path that is no plain file', () => {
  it.skipIf(process.platform === 'win32')('is read to the bound, and no further', async () => {
    await expect(reader().read('/dev/zero', signal)).rejects.toMatchObject({ code: 'source_unreadable' });
    await expect(reader().read('/dev/null', signal)).resolves.toHaveLength(0);
  });
});
