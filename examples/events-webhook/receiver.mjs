import { Webhook } from 'standardwebhooks';
import { listenOnLoopback } from '../support/loopback.mjs';

/** A receiver as anybody would write it: the library checks signature and age, the rest is an array. */
export async function startReceiver(secret) {
  const webhook = new Webhook(secret);
  const received = [];
  let refusals = 0;
  const waiting = [];
  const { url, close } = await listenOnLoopback(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const payload = Buffer.concat(chunks).toString();
    if (refusals > 0) {
      refusals--;
      response.writeHead(503, { 'retry-after': '1' }).end();
      return;
    }
    try {
      received.push(webhook.verify(payload, request.headers));
      response.writeHead(204).end();
    } catch {
      response.writeHead(401).end();
    }
    for (const look of [...waiting]) look();
  });
  return {
    url: `${url}/toolcrib`,
    received,
    /** Resolves when the condition holds for what was received. */
    until: (condition) =>
      new Promise((resolve) => {
        const look = () => {
          if (!condition(received)) return;
          waiting.splice(waiting.indexOf(look), 1);
          resolve();
        };
        waiting.push(look);
        look();
      }),
    /** Answers the next requests as a server that is overloaded. */
    refuse: (count) => {
      refusals = count;
    },
    close,
  };
}
