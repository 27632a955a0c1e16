import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ArtifactBytes } from '../../src/artifacts/artifact-bytes.ts';
import { createS3Bytes } from '../../src/artifacts/s3-bytes.ts';
import { createEgress, type Egress, EgressFailure } from '../../src/egress/index.ts';
import { startLoopbackService } from '../doubles/loopback-service.ts';
import { type S3Double, startS3 } from '../doubles/s3.ts';

const KEYS = {
  accessKeyId: process.env['TOOLCRIB_TEST_S3_KEY'] ?? 'S3RVER',
  secretAccessKey: process.env['TOOLCRIB_TEST_S3_SECRET'] ?? 'S3RVER',
};
const BUCKET = 'artifacts';
const REGION = 'us-east-1';
const DESCRIPTION = { mimeType: 'application/pdf', name: 'a.pdf' };
const name = () => randomBytes(16).toString('hex');

/** A real store takes the place of the double where the environment names one that has the bucket. */
const REAL = process.env['TOOLCRIB_TEST_S3'];

let double: S3Double | undefined;
let egress: Egress;
const endpoint = () => REAL ?? double!.endpoint;
const bytesAt = (more: Partial<Parameters<typeof createS3Bytes>[0]> = {}): ArtifactBytes =>
  createS3Bytes({
    egress,
    address: { endpoint: endpoint(), bucket: BUCKET, region: REGION, prefix: 'crib/one/' },
    keys: async () => KEYS,
    ...more,
  });
/** A door behind which these answers wait, the last again and again; a failure is thrown. Writes down what was sent. */
function doorTo(...answers: ReadonlyArray<{ status: number; body?: Uint8Array } | Error>) {
  const sent: Array<Parameters<Egress['request']>[0]> = [];
  const request: Egress['request'] = async (asked) => {
    const answer = answers[Math.min(sent.push(asked), answers.length) - 1]!;
    if (answer instanceof Error) throw answer;
    return { headers: {}, body: new Uint8Array(), ...answer, url: asked.url };
  };
  return { sent, egress: { request } };
}
const read = async (stream: ReadableStream<Uint8Array>) =>
  Buffer.from(await new Response(stream).arrayBuffer());

beforeAll(async () => {
  if (REAL === undefined) double = await startS3({ ...KEYS, bucket: BUCKET, region: REGION });
});
afterAll(() => double?.close());
beforeEach(() => {
  egress = createEgress({ allow: [new URL(endpoint()).origin] });
});
afterEach(() => egress.close());

describe('bytes in an S3-compatible store', () => {
  it('come back as they went, whole and in part', async () => {
    const bytes = bytesAt();
    const id = name();
    const content = randomBytes(5_000_000);
    expect(await bytes.has(id)).toBe(false);
    await bytes.write(id, content, DESCRIPTION, '');
    expect(await bytes.has(id)).toBe(true);
    expect((await read(bytes.stream(id, content.length))).equals(content)).toBe(true);
    const part = await read(bytes.stream(id, content.length, { first: 4_194_303, last: 4_194_305 }));
    expect(part).toEqual(content.subarray(4_194_303, 4_194_306));
    await bytes.remove(id);
    await bytes.remove(id);
    expect(await bytes.has(id)).toBe(false);
  });

  it('are at the same address where the endpoint ends with a slash', async () => {
    const id = name();
    const address = { endpoint: `${endpoint()}/`, bucket: BUCKET, region: REGION, prefix: '/crib/one' };
    await bytesAt({ address }).write(id, Buffer.from('x'), DESCRIPTION, '');
    expect(await bytesAt().has(id)).toBe(true);
    await bytesAt().remove(id);
  });

  it('are asked for as they are, with all that proves who asks', async () => {
    const { egress, sent } = doorTo({ status: 200 });
    const keys = async () => ({ ...KEYS, sessionToken: 'temporary' });
    await bytesAt({ egress, keys }).has(name());
    const headers = new Map(sent[0]!.headers);
    expect(headers.get('accept-encoding')).toBe('identity');
    expect(headers.get('x-amz-security-token')).toBe('temporary');
    expect(headers.get('authorization')).toContain('x-amz-security-token');
    // the door writes it
    expect(headers.has('host')).toBe(false);
  });

  it.each<[string, number, number, boolean]>([
    ['the part', 206, 4, true],
    ['less of it', 206, 3, false],
    ['more of it', 206, 5, false],
    ['all up to its end', 200, 6, false],
  ])('in part are those that were asked for: an answer that has %s', async (_, status, length, taken) => {
    const body = Buffer.alloc(length, 'x');
    const part = read(bytesAt(doorTo({ status, body })).stream(name(), 10, { first: 2, last: 5 }));
    if (taken) expect(await part).toEqual(body);
    else await expect(part).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('are taken from an answer without a range where they are all', async () => {
    const whole = (length: number) =>
      bytesAt(doorTo({ status: 200, body: Buffer.alloc(4, 'x') })).stream(name(), length);
    expect(await read(whole(4))).toEqual(Buffer.from('xxxx'));
    await expect(read(whole(5))).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('may be none at all', async () => {
    const bytes = bytesAt();
    const id = name();
    await bytes.write(id, new Uint8Array(), DESCRIPTION, '');
    expect(await read(bytes.stream(id, 0))).toHaveLength(0);
    await bytes.remove(id);
  });

  it('fails the stream of an object that is gone', async () => {
    await expect(read(bytesAt().stream(name(), 10))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('says which key is refused, and never the key', async () => {
    const secretAccessKey = 'a-wrong-secret-key-1Qa2Ws';
    // s3rver knows who asks and takes every signature of version 4
    const wrong =
      REAL === undefined ? { ...KEYS, secretAccessKey } : { accessKeyId: 'NOBODY', secretAccessKey };
    const bytes = bytesAt({ keys: async () => wrong });
    const failure = await bytes.write(name(), Buffer.from('x'), DESCRIPTION, '').catch((error) => error);
    expect(failure).toMatchObject({ code: 'credentials_refused', status: 403 });
    expect(JSON.stringify([failure.message, failure.details])).not.toContain(secretAccessKey);
  });

  it('waits a quarter as long where somebody reads: three attempts end before a client gives up', async () => {
    const waited: Record<string, number> = {};
    const hanging: Pick<Egress, 'request'> = {
      request: ({ method }, { timeoutMs }) => {
        waited[method] = timeoutMs;
        throw new EgressFailure('timeout', 'none', 'The request took too long');
      },
    };
    const bytes = bytesAt({ egress: hanging });
    const failures = await Promise.allSettled([
      bytes.write(name(), Buffer.from('x'), DESCRIPTION, ''),
      bytes.has(name()),
      read(bytes.stream(name(), 10)),
    ]);
    expect(failures).toEqual(
      Array(3).fill({
        status: 'rejected',
        reason: expect.objectContaining({
          code: 'store_unavailable',
          message: 'The artifact store cannot be used: The request took too long.',
          next: expect.stringContaining('artifacts.store.s3.endpoint'),
        }),
      }),
    );
    expect(waited).toEqual({ PUT: 60_000, HEAD: 15_000, GET: 15_000 });
  });

  it('needs the address to be allowed', async () => {
    const closed = createEgress();
    await expect(bytesAt({ egress: closed }).has(name())).rejects.toMatchObject({ code: 'egress_blocked' });
    await closed.close();
  });
});

describe.skipIf(REAL !== undefined)('a store that fails', () => {
  it('is asked again after 503 and 429', async () => {
    const id = name();
    double!.fail(503, 429);
    await bytesAt().write(id, Buffer.from('x'), DESCRIPTION, '');
    expect(double!.objects.get(`crib/one/${id}`)).toEqual(Buffer.from('x'));
  });

  // as Swift 2.30.1 with its s3api answers
  it.each([
    [404, 'NoSuchBucket', 'store_unavailable', /Make the bucket/],
    [400, 'AuthorizationHeaderMalformed', 'store_unavailable', /region/],
    [403, 'RequestTimeTooSkewed', 'store_unavailable', /clock/],
    [403, 'SignatureDoesNotMatch', 'credentials_refused', /secretAccessKey/],
    [400, 'EntityTooLarge', 'store_unavailable', /quota/],
    [403, 'AccessDenied', 'credentials_refused', /read, write and delete objects/],
    [403, 'AllAccessDisabled', 'credentials_refused', /Check the keys/],
    [401, 'Unauthorized', 'credentials_refused', /Check the keys/],
    [403, 'QuotaExceeded', 'store_unavailable', /quota/],
    [400, 'InvalidURI', 'store_unavailable', /artifacts\.store\.s3\.endpoint/],
  ])('says what it answered, %s %s, and no more of it', async (status, said, code, next) => {
    double!.fail([status, said]);
    const failure = await bytesAt()
      .write(name(), Buffer.from('x'), DESCRIPTION, '')
      .catch((error) => error);
    expect(failure).toMatchObject({ code, status, next: expect.stringMatching(next) });
    expect(failure.message).toMatch(new RegExp(`answered PUT with ${status}: ${said}\\.$`));
    expect(JSON.stringify([failure.message, failure.next])).not.toContain('told-again');
  });

  it('that is none, as a web page or a proxy, keeps nothing by saying 200', async () => {
    const page: Pick<Egress, 'request'> = {
      request: async ({ url }) => ({
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: Buffer.from('<h1>Sign in</h1>'),
        url,
      }),
    };
    await expect(
      bytesAt({ egress: page }).write(name(), Buffer.from('x'), DESCRIPTION, ''),
    ).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('is no S3 store: it answered PUT with 200 and without an ETag'),
      next: expect.stringContaining('artifacts.store.s3.endpoint'),
    });
  });

  it('that sends elsewhere is asked once, and says where', async () => {
    const elsewhere = await startLoopbackService('', () => ({
      status: 307,
      headers: { location: 'https://s3.test/bucket/name?secret=1' },
    }));
    const door = createEgress({ allow: [elsewhere.url] });
    const address = { endpoint: elsewhere.url, bucket: BUCKET, region: REGION, prefix: '' };
    await expect(
      bytesAt({ egress: door, address }).write(name(), Buffer.from('x'), DESCRIPTION, ''),
    ).rejects.toMatchObject({
      code: 'store_unavailable',
      status: 307,
      message: expect.stringMatching(/answered PUT with 307, which leads to https:\/\/s3\.test\.$/),
      next: expect.stringContaining('Name that address'),
    });
    expect(elsewhere.requests).toHaveLength(1);
    await door.close();
    await elsewhere.close();
  });

  it('tells an object that is gone from a bucket that is', async () => {
    double!.fail([404, 'NoSuchBucket']);
    await expect(read(bytesAt().stream(name(), 10))).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('answers for nothing by refusing: what it says of an object, or does not remove, is told', async () => {
    const refused = doorTo({ status: 403 });
    await expect(bytesAt(refused).has(name())).rejects.toMatchObject({ code: 'credentials_refused' });
    await expect(bytesAt(refused).remove(name())).rejects.toMatchObject({ code: 'credentials_refused' });
    expect(refused.sent).toHaveLength(2);
    // what is not there need not go
    await bytesAt(doorTo({ status: 404 })).remove(name());
  });

  it('is asked again where the way there fails, not where asking is in vain', async () => {
    const failing = (kind: 'timeout' | 'proxy_unreachable' | 'egress_blocked' | 'tls_cert' | 'too_large') =>
      doorTo(new EgressFailure(kind, 'none', 'It failed'));
    const asked = async (door: ReturnType<typeof doorTo>, next: RegExp) => {
      const failure = await bytesAt(door)
        .has(name())
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ next: expect.stringMatching(next) });
      return door.sent.length;
    };
    expect(await asked(failing('proxy_unreachable'), /proxy runs/)).toBe(3);
    for (const kind of ['egress_blocked', 'tls_cert', 'too_large'] as const)
      expect(await asked(failing(kind), /./), kind).toBe(1);
    const broken = doorTo(new TypeError('a fault of ours'));
    await expect(bytesAt(broken).has(name())).rejects.toThrow('a fault of ours');
    expect(broken.sent).toHaveLength(1);
  });

  it('is given up after three attempts', async () => {
    double!.fail(500, 500, 500);
    const before = double!.requests.length;
    await expect(bytesAt().write(name(), Buffer.from('x'), DESCRIPTION, '')).rejects.toMatchObject({
      code: 'store_unavailable',
      status: 500,
    });
    expect(double!.requests.length - before).toBe(3);
  });

  it('is asked only for the parts that are read', async () => {
    const id = name();
    const bytes = bytesAt();
    await bytes.write(id, Buffer.alloc(9_000_000), DESCRIPTION, '');
    const before = double!.requests.length;
    const reader = bytes.stream(id, 9_000_000).getReader();
    await reader.read();
    await reader.cancel();
    expect(double!.requests.slice(before).map(({ range }) => range)).toEqual(['bytes=0-4194303']);
  });
});
