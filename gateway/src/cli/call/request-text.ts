import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { shellWord } from '../command-line.ts';

/** A request as `dryRun` answers with it; credentials are already redacted. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly socketPath?: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body?: string;
  /** Of a body that is no text; `body` says so then. */
  readonly bodyBase64?: string;
}

/** Reads the structured result of a dry run; undefined when it is none. */
export function shownRequest(structured: Json | undefined): ShownRequest | undefined {
  const request =
    isObject(structured) && isObject(structured['request']) ? structured['request'] : structured;
  if (!isObject(request) || typeof request['method'] !== 'string' || typeof request['url'] !== 'string') {
    return undefined;
  }
  const { method, url, socketPath, body, bodyBase64 } = request as {
    method: string;
    url: string;
    socketPath?: string;
    body?: Json;
    bodyBase64?: Json;
  };
  const text =
    body === undefined || body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method,
    url,
    ...(socketPath === undefined ? {} : { socketPath }),
    headers: headerPairs(request),
    ...(text === undefined ? {} : { body: text }),
    ...(typeof bodyBase64 === 'string' ? { bodyBase64 } : {}),
  };
}

function headerPairs({ headers }: JsonObject): Array<readonly [string, string]> {
  if (Array.isArray(headers)) {
    return headers.filter(Array.isArray).map(([name, value]) => [String(name), String(value)] as const);
  }
  return isObject(headers)
    ? Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
    : [];
}

/** As an HTTP message reads. */
export function requestText({ method, url, headers, body }: ShownRequest): string {
  const head = [`${method} ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n');
  return body === undefined ? head : `${head}\n\n${body}`;
}

/** As a curl command for a POSIX shell; redacted values stay redacted. No argument can hold every byte: those come by a pipe. */
export function curlCommand({ method, url, socketPath, headers, body, bodyBase64 }: ShownRequest): string {
  const bytes = bodyBase64 === undefined ? '' : `printf %s ${shellWord(bodyBase64)} | base64 -d | `;
  // with `-X HEAD` curl waits for the body that the answer describes
  const asked = method === 'HEAD' && body === undefined ? '--head' : `-X ${shellWord(method)}`;
  const parts = [
    `curl ${asked} ${shellWord(url)}`,
    ...(socketPath === undefined ? [] : [`--unix-socket ${shellWord(socketPath)}`]),
    ...headers.map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [bytes === '' ? `--data-raw ${shellWord(body)}` : '--data-binary @-']),
  ];
  return bytes + parts.join(' \\\n  ');
}
