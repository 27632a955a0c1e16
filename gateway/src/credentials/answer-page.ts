import type { ServerResponse } from 'node:http';

/** What a browser shows that comes back to this machine after a sign-in: one sentence, kept and told to nobody. */
export function answerPage(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(`${text}\n`);
}
