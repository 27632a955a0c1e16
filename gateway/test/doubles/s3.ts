import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A loopback double of an S3-compatible store: path-style objects, ranges, and a strict check of signatures. */
export interface S3Double {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  /** Everything that arrived: method, path, whether its signature was right. */
  readonly requests: Array<{ readonly method: string; readonly path: string; readonly range?: string }>;
  /** Answers the next requests with these statuses instead, of the code SlowDown or another. */
  fail(...answers: ReadonlyArray<number | readonly [status: number, code: string]>): void;
  close(): Promise<void>;
}

export interface S3DoubleOptions {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly bucket: string;
  readonly region: string;
}

const hex = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, content: string) => createHmac('sha256', key).update(content).digest();

export async function startS3(options: S3DoubleOptions): Promise<S3Double> {
  const objects = new Map<string, Buffer>();
  const requests: Array<{ method: string; path: string; range?: string }> = [];
  const failures: Array<readonly [status: number, code: string]> = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { range } = request.headers;
    requests.push({ method: request.method!, path: request.url!, ...(range === undefined ? {} : { range }) });
    const failure = failures.shift();
    if (failure !== undefined) return refuse(response, ...failure);
    const problem = signatureProblem(request, body, options);
    if (problem !== undefined) return refuse(response, 403, problem);
    answer(request, response, body, objects, options.bucket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    fail: (...answers) =>
      void failures.push(
        ...answers.map((answer) => (typeof answer === 'number' ? ([answer, 'SlowDown'] as const) : answer)),
      ),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  objects: Map<string, Buffer>,
  bucket: string,
): ServerResponse {
  const [, inBucket, ...rest] = decodeURIComponent(request.url!).split('/');
  if (inBucket !== bucket) return refuse(response, 404, 'NoSuchBucket');
  const key = rest.join('/');
  const object = objects.get(key);
  switch (request.method) {
    case 'PUT':
      objects.set(key, body);
      return response.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end();
    case 'DELETE':
      objects.delete(key);
      return response.writeHead(204).end();
    case 'HEAD':
      return response.writeHead(object === undefined ? 404 : 200).end();
    default:
      if (object === undefined) return refuse(response, 404, 'NoSuchKey');
      return part(request, response, object);
  }
}

function part(request: IncomingMessage, response: ServerResponse, object: Buffer): ServerResponse {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (first === undefined) {
    return response.writeHead(200, { 'content-length': object.length }).end(object);
  }
  if (Number(first) >= object.length) return refuse(response, 416, 'InvalidRange');
  const end = Math.min(Number(last), object.length - 1);
  response.writeHead(206, { 'content-range': `bytes ${first}-${end}/${object.length}` });
  return response.end(object.subarray(Number(first), end + 1));
}

function refuse(response: ServerResponse, status: number, code: string): ServerResponse {
  response.writeHead(status, { 'content-type': 'application/xml' });
  const rest = '<Message>No.</Message><AWSAccessKeyId>told-again</AWSAccessKeyId>';
  return response.end(`<?xml version="1.0"?><Error><Code>${code}</Code>${rest}</Error>`);
}

/** AWS Signature Version 4 for S3, as its documentation gives the steps. Undefined: it is right. */
function signatureProblem(
  request: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey, region }: S3DoubleOptions,
): string | undefined {
  const [, scope, signed, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    ) ?? [];
  if (scope === undefined || signed === undefined || signature === undefined) return 'AccessDenied';
  const date = String(request.headers['x-amz-date']);
  const expected = `${accessKeyId}/${date.slice(0, 8)}/${region}/s3/aws4_request`;
  if (scope !== expected) return 'InvalidAccessKeyId';
  const payload = String(request.headers['x-amz-content-sha256']);
  if (payload !== hex(body)) return 'XAmzContentSHA256Mismatch';
  const names = signed.split(';');
  if (!names.includes('host') || !names.includes('x-amz-content-sha256')) return 'AccessDenied';
  const { pathname, searchParams } = new URL(request.url!, 'http://s3');
  const canonical = [
    request.method,
    pathname,
    searchParams.toString(),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signed,
    payload,
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', date, scope.slice(accessKeyId.length + 1), hex(canonical)].join('\n');
  const key = [date.slice(0, 8), region, 's3', 'aws4_request'].reduce(
    (previous: string | Buffer, step) => hmac(previous, step),
    `AWS4${secretAccessKey}`,
  );
  const right = timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'));
  return right ? undefined : 'SignatureDoesNotMatch';
}
