import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedDelivery {
  readonly id: string;
  readonly timestamp: number;
  /** By the rules of Standard Webhooks, version 1. */
  readonly signed: boolean;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Record<string, unknown>;
  };
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** A loopback receiver of webhooks that checks signatures by itself. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: ReceivedDelivery[];
  /** Sequences of the events that were answered with 2xx, in order. */
  readonly taken: number[];
  /** What decides the status; default: always 204. */
  answer: (delivery: ReceivedDelivery) => number | Promise<number>;
  /** Bodies of answers go on and on. */
  floods: boolean;
  close(): Promise<void>;
}

export async function startReceiver(key: Buffer): Promise<WebhookReceiver> {
  const received: ReceivedDelivery[] = [];
  const taken: number[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { headers } = request;
    const id = String(headers['webhook-id']);
    const timestamp = Number(headers['webhook-timestamp']);
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest();
    const signed = String(headers['webhook-signature'])
      .split(' ')
      .some((one) => {
        const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    const delivery = { id, timestamp, signed, body: JSON.parse(text), text, headers };
    received.push(delivery);
    const status = await receiver.answer(delivery);
    if (status < 300) taken.push(Number(delivery.body.data['sequence']));
    response.writeHead(status);
    if (receiver.floods) response.write('.'.repeat(1_000_000));
    else response.end(status < 300 ? undefined : 'not now');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    taken,
    answer: () => 204,
    floods: false,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return receiver;
}
