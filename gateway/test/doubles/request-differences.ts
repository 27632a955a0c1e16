import { isDeepStrictEqual } from 'node:util';
import type { ExpectedRequest, SampleFile } from './operation-table.ts';

/** The part of a request that an operation decides, whether it was received or only built. */
export interface ComparableRequest {
  readonly method: string;
  /** Below the base URL, percent-encoding kept. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** What every HTTP client may send, and credentials, which are looked at by themselves. */
const UNREMARKABLE: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
  'user-agent',
]);

/** One line for each way in which the request is not the one expected; empty: it is. */
export function requestDifferences(request: ComparableRequest, expected: ExpectedRequest): string[] {
  const query = request.query.map(([name, value]) => `${name}=${value}`).sort();
  return [
    ...difference('method', request.method, expected.method),
    ...difference('path', request.path, expected.path),
    ...difference('query', query, expected.query),
    ...Object.entries(expected.headers).flatMap(([name, value]) =>
      difference(name, headerOf(request, name), value),
    ),
    ...Object.keys(request.headers)
      .filter((name) => !UNREMARKABLE.has(name) && !(name in expected.headers))
      .map((name) => `${name}: not expected`),
    ...(expected.file === undefined
      ? difference('body', jsonOf(request), expected.json)
      : fileDifferences(request, expected.file)),
  ];
}

function difference(what: string, sent: unknown, expected: unknown): string[] {
  if (isDeepStrictEqual(sent, expected)) return [];
  return [`${what}: ${JSON.stringify(sent)} instead of ${JSON.stringify(expected)}`];
}

/** Media types are compared without their parameters. */
function headerOf({ headers }: ComparableRequest, name: string): unknown {
  const value = headers[name];
  return name === 'content-type' && typeof value === 'string' ? value.split(';')[0] : value;
}

function jsonOf({ body }: ComparableRequest): unknown {
  const text = Buffer.from(body).toString();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function fileDifferences({ body }: ComparableRequest, file: SampleFile): string[] {
  const text = Buffer.from(body).toString('latin1');
  const parts = [
    `name="${file.name}"`,
    `filename="${file.filename}"`,
    file.contentType,
    `\r\n\r\n${file.bytes}\r\n`,
  ];
  return parts.filter((part) => !text.includes(part)).map((part) => `multipart body lacks ${part}`);
}
