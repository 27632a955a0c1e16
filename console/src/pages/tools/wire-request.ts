import { isObject } from '../../components/json/json-values.ts';

/** A request as a dry run shows it; credentials are hidden already. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: string | undefined;
}

/** Reads the structured answer of a dry run; undefined where it is no HTTP request. */
export function wireRequestOf(structured: unknown): WireRequest | undefined {
  const request =
    isObject(structured) && isObject(structured['request']) ? structured['request'] : structured;
  if (!isObject(request)) return undefined;
  const { method, url, headers, body } = request;
  if (typeof method !== 'string' || typeof url !== 'string') return undefined;
  return {
    method,
    url,
    headers: headerPairs(headers),
    body:
      body === undefined || body === null
        ? undefined
        : typeof body === 'string'
          ? body
          : JSON.stringify(body),
  };
}

function headerPairs(headers: unknown): ReadonlyArray<readonly [string, string]> {
  if (Array.isArray(headers))
    return headers.filter(Array.isArray).map(([name, value]) => [String(name), String(value)] as const);
  return isObject(headers)
    ? Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
    : [];
}

/** As an HTTP message reads. */
export function messageText({ method, url, headers, body }: WireRequest): string {
  const head = [`${method} ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n');
  return body === undefined ? head : `${head}\n\n${body}`;
}

/** As a curl command for a POSIX shell; what is hidden stays hidden. */
export function curlText({ method, url, headers, body }: WireRequest): string {
  return [
    `curl -X ${shellWord(method)} ${shellWord(url)}`,
    ...headers.map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellWord(body)}`]),
  ].join(' \\\n  ');
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
