import { type Egress, EgressFailure, type EgressResponse } from '../../egress/index.ts';
import { retryAfterMs } from '../../operations/http/retry-after.ts';
import type { Event } from '../../operations/index.ts';
import { toRunEvent } from '../run-event.ts';
import type { LinkOf, Webhook } from './webhook.ts';

/**
 * `delivered`; `refused`: the receiver does not want this event; `failed`: it may want it later. `error` names what happened, never an answer's body.
 */
export type Delivery =
  | { readonly outcome: 'delivered' }
  | { readonly outcome: 'refused' | 'failed'; readonly error: string; readonly retryAfterMs?: number };

export interface DeliveryParts {
  readonly egress: Pick<Egress, 'request'>;
  readonly link?: LinkOf;
  /** Part of each message's id, so that two gateways never share one. */
  readonly origin: string;
}

/** A receiver answers at once, and does its work later. */
export const DELIVERY_MS = 15_000;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Statuses that ask for another attempt. */
const LATER: ReadonlySet<number> = new Set([401, 403, 404, 407, 408, 410, 421, 423, 425, 429]);

/** One event as one signed request (Standard Webhooks): the same id at every attempt, the time of the attempt. */
export async function deliver(
  hook: Webhook,
  event: Event,
  { egress, link, origin }: DeliveryParts,
  signal: AbortSignal,
): Promise<Delivery> {
  try {
    const id = `evt_${origin}_${event.sequence}`;
    const payload = await payloadOf(hook, event, link);
    const sent = new Date();
    const signature = await sign(await hook.secret(signal), id, sent, payload);
    const answer = await egress.request(
      {
        method: 'POST',
        url: hook.url,
        headers: [
          ['content-type', 'application/json'],
          ['webhook-id', id],
          ['webhook-timestamp', String(Math.floor(sent.getTime() / 1000))],
          ['webhook-signature', signature],
        ],
        body: payload,
      },
      { timeoutMs: DELIVERY_MS, maxBytes: 65_536, maxRedirects: 0 },
      signal,
    );
    return outcomeOf(answer);
  } catch (error) {
    // the status is the answer: what follows it may be too long, or never end
    const isTaken = error instanceof EgressFailure && isSuccess(error.status);
    return isTaken ? { outcome: 'delivered' } : { outcome: 'failed', error: reasonOf(error) };
  }
}

function isSuccess(status = 0): boolean {
  return status >= 200 && status < 300;
}

function outcomeOf({ status, headers }: EgressResponse): Delivery {
  if (isSuccess(status)) return { outcome: 'delivered' };
  const error = `The receiver answered ${status}.`;
  if (status >= 400 && status < 500 && !LATER.has(status)) return { outcome: 'refused', error };
  const asked = retryAfterMs(headers, Date.now());
  return { outcome: 'failed', error, ...(asked === undefined ? {} : { retryAfterMs: asked }) };
}

function reasonOf(error: unknown): string {
  if (error instanceof EgressFailure) {
    // its words name the host, never the path, which may hold a secret
    if (error.kind === 'redirect') return `${error.message}. Signed events follow no redirect.`;
    // an answer that is too long or broken was an answer
    return error.status === undefined
      ? `No answer: ${error.message}.`
      : `Answer ${error.status} (${error.kind}).`;
  }
  return error instanceof Error ? error.message : 'Unknown fault.';
}

async function payloadOf(hook: Webhook, event: Event, link: LinkOf | undefined): Promise<string> {
  const url = event.type === 'approval-requested' ? await link?.(event) : undefined;
  const { type, ...data } = hook.format === 'run' ? toRunEvent(event) : event;
  return JSON.stringify({
    type,
    timestamp: event.time,
    data: { ...data, ...(url === undefined ? {} : { link: url }) },
  });
}

/** A secret with the prefix `whsec_` is base64; any other is taken as its bytes. */
async function sign(secret: string, id: string, sent: Date, payload: string): Promise<string> {
  const { Webhook: Signer } = await import('standardwebhooks');
  if (!secret.startsWith('whsec_')) return new Signer(secret, { format: 'raw' }).sign(id, sent, payload);
  if (!BASE64.test(secret.slice('whsec_'.length)))
    throw new Error('The secret begins with whsec_, and what follows is not base64: nothing was sent.');
  return new Signer(secret).sign(id, sent, payload);
}
