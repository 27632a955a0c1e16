import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createArtifacts } from '../../src/artifacts/create-artifacts.ts';
import { timelyPut } from '../../src/artifacts/timely-put.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createRedactor } from '../../src/telemetry/redactor.ts';

type Put = ReturnType<typeof timelyPut>;
type Stored = Awaited<ReturnType<Put>>;
const text = { mimeType: 'text/plain', name: 'a.txt' };
const artifact = { uri: 'artifact:1' } as Stored;

test('a store that hangs is waited for so long and no longer', async () => {
  const put = timelyPut(() => new Promise(() => undefined), 10);
  await expect(put(Buffer.from('a'), text)).rejects.toMatchObject({ code: 'store_unavailable' });
});

test('what is stored in time, and why it is not, comes through', async () => {
  const put = timelyPut(async (bytes) => {
    if (bytes.length > 1) throw new Error('full');
    return artifact;
  });
  expect(await put(Buffer.from('a'), text)).toBe(artifact);
  await expect(put(Buffer.from('ab'), text)).rejects.toThrow('full');
});

test('where very much is late nothing more is begun, until that has ended', async () => {
  const late = Promise.withResolvers<Stored>();
  let begun = 0;
  const put = timelyPut(() => {
    begun += 1;
    return late.promise;
  }, 10);
  const large = Buffer.alloc(128 * 1024 * 1024);
  await expect(put(large, text)).rejects.toMatchObject({ code: 'store_unavailable' });
  await expect(put(large, text)).rejects.toMatchObject({ message: expect.stringContaining('busy') });
  expect(begun).toBe(1);
  late.resolve(artifact);
  await late.promise;
  expect(await put(large, text)).toBe(artifact);
});

test('the artifacts of a gateway are stored so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-artifacts-'));
  const store = await openStore(`sqlite:${join(folder, 'toolcrib.db')}`);
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  const key = { env: 'KEY' };
  const artifacts = createArtifacts({
    store,
    place: {
      ...{ endpoint: 'https://s3.example', bucket: 'bucket', region: 'r', prefix: '' },
      ...{ accessKeyId: key, secretAccessKey: key },
    },
    egress: { request: () => new Promise(() => undefined) },
    env: { KEY: 'key' },
    redactor: createRedactor(),
    patienceMs: 10,
  });
  await expect(artifacts.put(Buffer.from('a'), text)).rejects.toMatchObject({ code: 'store_unavailable' });
});
