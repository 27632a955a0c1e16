import { createHash } from 'node:crypto';
import { type Egress, EgressFailure, type EgressResponse, proxyAdvice } from '../egress/index.ts';
import { ToolcribError } from '../errors.ts';
import { trimEndOf } from '../operations/text/trim-runs.ts';
import type { ByteRange } from './artifact.ts';
import type { ArtifactBytes } from './artifact-bytes.ts';

/** A bucket of an S3-compatible store, addressed path-style. */
export interface S3Address {
  /** Origin, maybe with a path: `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** Before every name, e.g. `toolcrib/`; may be empty. */
  readonly prefix: string;
}

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface S3Parts {
  readonly egress: Pick<Egress, 'request'>;
  readonly address: S3Address;
  /** Asked before each request, so that keys can change. Throws `credentials_missing`. */
  readonly keys: (signal: AbortSignal) => Promise<S3Keys>;
  /** Milliseconds for one request that writes; others take a quarter of it, so that who reads is told in time. */
  readonly timeoutMs?: number;
}

/** Where the names of objects begin: path-style, with the prefix. */
export function bucketUrl({ endpoint, bucket, prefix }: S3Address): string {
  const parts = [bucket, ...prefix.split('/').filter(Boolean)];
  return `${trimEndOf(endpoint, '/')}/${parts.map(encodeURIComponent).join('/')}/`;
}

/** One read of a stream: what is held in memory. */
const CHUNK = 4 * 1024 * 1024;
/** Pauses before a request is repeated, milliseconds; objects never change, so that every repeat is safe. */
const PAUSES = [100, 500];

/** Objects in a bucket: signed (AWS Signature Version 4, payload included), sent through the egress door. */
export function createS3Bytes({ egress, address, keys, timeoutMs = 60_000 }: S3Parts): ArtifactBytes {
  const base = bucketUrl(address);
  const urlOf = (name: string) => base + encodeURIComponent(name);

  const send = async (
    method: 'PUT' | 'GET' | 'HEAD' | 'DELETE',
    name: string,
    { body, headers = {} }: { body?: Uint8Array; headers?: Readonly<Record<string, string>> } = {},
  ): Promise<EgressResponse> => {
    const patienceMs = method === 'PUT' ? timeoutMs : timeoutMs / 4;
    // one time more than there are attempts: each ends by its own
    const signal = AbortSignal.timeout(patienceMs * (PAUSES.length + 2));
    const url = urlOf(name);
    for (let attempt = 0; ; attempt++) {
      const signed = await sign(method, url, headers, body, address.region, await keys(signal));
      const pause = PAUSES[attempt];
      try {
        const answer = await egress.request(
          {
            method,
            url,
            headers: signed,
            ...(body === undefined ? {} : { body }),
            credentialHeaders: SECRET,
            // what is signed is signed for one address: where it leads, and why, is told
            redirect: 'manual',
          },
          { timeoutMs: patienceMs, maxBytes: CHUNK + 65_536, maxRedirects: 0 },
          signal,
        );
        if (pause === undefined || (answer.status < 500 && answer.status !== 429)) return answer;
      } catch (error) {
        if (pause === undefined || !(error instanceof EgressFailure) || NEVER_REPEATED.has(error.kind))
          throw unreachable(error);
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };

  const read = async (name: string, { first, last }: ByteRange): Promise<Uint8Array> => {
    const answer = await send('GET', name, {
      headers: { range: `bytes=${first}-${last}` },
    });
    if (answer.status === 206 && answer.body.length === last - first + 1) return answer.body;
    if (answer.status === 200 && first === 0 && answer.body.length === last + 1) return answer.body;
    if (answer.status === 404 && codeOf(answer) !== 'NoSuchBucket')
      throw new ToolcribError('not_found', 'The bytes of the artifact are not in the bucket any more.', {
        next: 'Call the operation again; who removes objects of the bucket, such as a lifecycle rule, is set there.',
      });
    throw refused('GET', answer);
  };

  return {
    async write(name, bytes) {
      const answer = await send('PUT', name, {
        body: bytes,
        headers: { 'content-type': 'application/octet-stream' },
      });
      if (answer.status !== 200 && answer.status !== 201) throw refused('PUT', answer);
      // a web page or a proxy answers 200 to anything: what it did not keep would be missing when it is read
      if (answer.headers['etag'] === undefined) throw noStore(answer);
    },
    async has(name) {
      const answer = await send('HEAD', name);
      if (answer.status === 200) return true;
      if (answer.status === 404) return false;
      throw refused('HEAD', answer);
    },
    stream: (name, size, range) => {
      const { first, last } = range ?? { first: 0, last: size - 1 };
      let next = first;
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            if (next <= last) {
              const end = Math.min(last, next + CHUNK - 1);
              const chunk = await read(name, { first: next, last: end });
              next = end + 1;
              controller.enqueue(chunk);
            }
            if (next > last) controller.close();
          },
        },
        { highWaterMark: 0 },
      );
    },
    async remove(name) {
      const answer = await send('DELETE', name);
      if (answer.status >= 300 && answer.status !== 404) throw refused('DELETE', answer);
    },
  };
}

const SECRET = ['authorization', 'x-amz-security-token'];
const NEVER_REPEATED: ReadonlySet<string> = new Set([
  'cancelled',
  'egress_blocked',
  'request_invalid',
  'tls_cert',
  'too_large',
]);

async function sign(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | undefined,
  region: string,
  keys: S3Keys,
): Promise<ReadonlyArray<readonly [string, string]>> {
  const { AwsV4Signer } = await import('aws4fetch');
  const hash = createHash('sha256')
    .update(body ?? '')
    .digest('hex');
  const signer = new AwsV4Signer({
    method,
    url,
    headers: { ...headers, 'x-amz-content-sha256': hash },
    service: 's3',
    region,
    ...keys,
  });
  const signed = await signer.sign();
  // bytes as they are: a range counts them
  return [...signed.headers, ['accept-encoding', 'identity']];
}

/** What mends it where the store says nothing about it. */
const UNREACHABLE =
  'Check `artifacts.store.s3.endpoint`, and the store; `toolcrib doctor` asks whether it answers.';
const ELSEWHERE =
  'Name that address in `artifacts.store.s3.endpoint` if the bucket is there, and check `region`.';
const KEYS_REFUSED = 'Check the keys of `artifacts.store.s3`, and that they may use the bucket.';
/** What mends it, by the store's own code. */
const MENDS: ReadonlyMap<string, string> = new Map([
  ['NoSuchBucket', 'Make the bucket, or name another in `artifacts.store.s3.bucket`.'],
  ['AuthorizationHeaderMalformed', 'Check `artifacts.store.s3.region`.'],
  ['PermanentRedirect', 'Check `artifacts.store.s3.region` and `endpoint`: the bucket is elsewhere.'],
  ['RequestTimeTooSkewed', 'Set the clock of this machine, or that of the store.'],
  ['AccessDenied', 'Let the keys of `artifacts.store.s3` read, write and delete objects of the bucket.'],
  ['SignatureDoesNotMatch', 'Check `artifacts.store.s3.secretAccessKey`.'],
  ['InvalidAccessKeyId', 'Check `artifacts.store.s3.accessKeyId`.'],
  ['EntityTooLarge', 'Raise the quota of the bucket, or lower `artifacts.maxTotal`.'],
  ['QuotaExceeded', 'Raise the quota of the bucket, or lower `artifacts.maxTotal`.'],
]);
/** Answered with 403, and not about who asks. */
const NO_REFUSAL: ReadonlySet<string | undefined> = new Set(['RequestTimeTooSkewed', 'QuotaExceeded']);

function refused(method: string, answer: EgressResponse): ToolcribError {
  const { status, url, headers } = answer;
  const said = codeOf(answer);
  const elsewhere = URL.parse(headers['location'] ?? '')?.origin;
  const leads = elsewhere === undefined ? '' : `, which leads to ${elsewhere}`;
  const what = `The artifact store at ${new URL(url).host} answered ${method} with ${status}${leads}`;
  const mend = MENDS.get(said ?? '') ?? (elsewhere === undefined ? undefined : ELSEWHERE);
  const isRefusal = (status === 401 || status === 403) && !NO_REFUSAL.has(said);
  return new ToolcribError(
    isRefusal ? 'credentials_refused' : 'store_unavailable',
    said === undefined ? `${what}.` : `${what}: ${said}.`,
    { status, next: mend ?? (isRefusal ? KEYS_REFUSED : UNREACHABLE) },
  );
}

function noStore({ status, url }: EgressResponse): ToolcribError {
  return new ToolcribError(
    'store_unavailable',
    `What answers at ${new URL(url).host} is no S3 store: it answered PUT with ${status} and without an ETag.`,
    {
      status,
      next: "Check `artifacts.store.s3.endpoint`: it may be the store's web page, or another service.",
    },
  );
}

/** Of the body of an error only its code is read: the rest names the request, and may repeat its headers. */
function codeOf({ body }: EgressResponse): string | undefined {
  const start = Buffer.from(body.subarray(0, 1024)).toString('latin1');
  return /<Code>([A-Za-z]{1,64})<\/Code>/.exec(start)?.[1];
}

function unreachable(error: unknown): unknown {
  if (!(error instanceof EgressFailure)) return error;
  return error.kind === 'egress_blocked'
    ? new ToolcribError('egress_blocked', error.message, { cause: error })
    : new ToolcribError('store_unavailable', `The artifact store cannot be used: ${error.message}.`, {
        next: proxyAdvice(error.kind) ?? UNREACHABLE,
        cause: error,
      });
}
