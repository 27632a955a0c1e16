import type { RawResult } from '../executors/executor.ts';
import type { CompletedResult } from '../operations/index.ts';
import { decodeUtf8 } from './decode-text.ts';

/** A dry run: the request as it would have gone, as text and as `{ request: { method, url, headers, body? } }`. */
export function plannedRequest({
  method,
  url,
  headers,
  body,
  socketPath,
}: Extract<RawResult, { kind: 'request' }>['request']): CompletedResult {
  const shown = body === undefined ? undefined : shownBody(body);
  const lines = [`${method} ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (shown !== undefined) lines.push('', shown.body);
  return {
    kind: 'completed',
    content: [{ type: 'text', text: `Dry run, nothing was sent:\n${lines.join('\n')}` }],
    structured: {
      request: {
        method,
        url,
        ...(socketPath === undefined ? {} : { socketPath }),
        headers: headers.map(([name, value]) => [name, value]),
        ...shown,
      },
    },
    outputApplies: false,
  };
}

function shownBody(body: string | Uint8Array): { body: string; bodyBase64?: string } {
  const text = typeof body === 'string' ? body : decodeUtf8(body);
  if (text !== undefined) return { body: text };
  return {
    body: `(${body.length} bytes that are no text)`,
    bodyBase64: Buffer.from(body as Uint8Array).toString('base64'),
  };
}
