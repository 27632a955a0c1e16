import type { RecordedRequest } from '../../doubles/loopback-service.ts';

/** Headers that belong to a connection and not to a request. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'host']);

/** A request as one text: line, headers and body, with the boundary of a multipart body made the same. */
export function wireText({ method, target, headers, body }: RecordedRequest): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !OF_CONNECTION.has(name))
    .map(([name, value]) => `${name}: ${String(value)}`)
    .sort();
  const text = [`${method} ${target}`, ...lines, '', body.toString('latin1')].join('\n');
  const [, boundary] = /boundary="?([^";\s]+)/.exec(headers['content-type'] ?? '') ?? [];
  return boundary === undefined ? text : text.replaceAll(boundary, 'BOUNDARY');
}

/** What the gateway sent for callers; its questions for roles are its own. */
export function callsAmong(requests: readonly RecordedRequest[]): readonly RecordedRequest[] {
  return requests.filter(({ path }) => path !== '/auth/token-info');
}
