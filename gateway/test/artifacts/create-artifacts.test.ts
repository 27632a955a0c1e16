import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createArtifacts } from '../../src/artifacts/create-artifacts.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createRedactor } from '../../src/telemetry/redactor.ts';

type Options = Parameters<typeof createArtifacts>[0];

const TEXT = { mimeType: 'text/plain', name: 'a.txt' };
const ENV = { ID: 'key-id-1', SECRET: 'secret-key-1', SESSION: 'session-1' };
const BUCKET = { endpoint: 'https://s3.example', bucket: 'bucket', region: 'r', prefix: 'crib/' };
const KEYS = { accessKeyId: { env: 'ID' }, secretAccessKey: { env: 'SECRET' } };

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-artifacts-'));
  store = await openStore(`sqlite:${join(folder, 'toolcrib.db')}`);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const artifacts = (options: Partial<Options> = {}) =>
  createArtifacts({
    ...{ store, place: join(folder, 'files'), env: ENV, redactor: createRedactor() },
    egress: { request: () => Promise.reject(new Error('nothing is asked')) },
    ...options,
  });
/** A bucket that takes everything, and what was sent to it. */
const bucket = () => {
  const sent: Array<ReadonlyMap<string, string>> = [];
  const request: Options['egress']['request'] = async ({ url, headers }) => {
    sent.push(new Map(headers));
    return { status: 200, headers: { etag: '"x"' }, body: new Uint8Array(), url };
  };
  return { sent, egress: { request } };
};

it('in a bucket need a store, which would list them', () => {
  expect(() => artifacts({ store: undefined, place: { ...BUCKET, ...KEYS } })).toThrow(
    expect.objectContaining({ code: 'configuration_invalid', pointer: '#/artifacts/store' }),
  );
});

it.each(['with', 'without'])('keep within their limits %s a store', async (how) => {
  const kept = artifacts({ ...(how === 'with' ? {} : { store: undefined }), limits: { maxTotalBytes: 500 } });
  await expect(kept.put(Buffer.alloc(501), TEXT)).rejects.toMatchObject({ code: 'artifact_quota_exceeded' });
});

it('name the place where they lie, for a configuration that names another', async () => {
  const { id } = await artifacts({ ...bucket(), place: { ...BUCKET, ...KEYS } }).put(Buffer.from('a'), TEXT);
  await expect(artifacts().get(id)).rejects.toMatchObject({
    code: 'artifact_elsewhere',
    message: expect.stringContaining('https://s3.example/bucket/crib/'),
  });
  const elsewhere = artifacts({ place: join(folder, 'first') });
  const put = await elsewhere.put(Buffer.from('b'), TEXT);
  expect(Buffer.from((await artifacts().get(put.id))!.bytes).toString()).toBe('b');
});

it('announce what is secret of the keys before it is used, and the id of the key is none', async () => {
  const announced: string[] = [];
  const redactor = { ...createRedactor(), add: (secret: string) => void announced.push(secret) };
  const { sent, egress } = bucket();
  const place = { ...BUCKET, ...KEYS, sessionToken: { env: 'SESSION' } };
  await artifacts({ egress, redactor, place }).put(Buffer.from('a'), TEXT);
  expect(announced).toEqual([ENV.SECRET, ENV.SESSION]);
  expect(sent[0]!.get('x-amz-security-token')).toBe(ENV.SESSION);
  expect(sent[0]!.get('authorization')).toContain(ENV.ID);
});
