import { createHash } from 'node:crypto';
import type { Egress } from '../../egress/index.ts';
import type { Store } from '../../store/store.ts';
import type { EventLog } from '../event-log.ts';
import { deliverEvents } from './deliver-events.ts';
import { createNews } from './news.ts';
import type { LinkOf, Webhook } from './webhook.ts';

export interface WebhooksOptions {
  readonly store: Store;
  readonly log: Pick<EventLog, 'list' | 'subscribe'>;
  readonly egress: Pick<Egress, 'request'>;
  readonly webhooks: readonly Webhook[];
  /** Link for the person who decides, in `approval-requested`. */
  readonly link?: LinkOf;
  readonly onError: (error: unknown) => void;
  /** A webhook begins to fail; told once until a delivery succeeds. */
  readonly onFailing: (hook: Webhook, error: string) => void;
  readonly random?: () => number;
}

export interface RunningWebhooks {
  /** Ends deliveries under way; what was not confirmed is delivered again by the next process. */
  stop(): Promise<void>;
}

/** Delivers events to webhooks beside the calls, which never wait for it. */
export function startWebhooks(options: WebhooksOptions): RunningWebhooks {
  const { store, log, egress, webhooks, link, onError, onFailing, random } = options;
  const ending = new AbortController();
  const news = createNews();
  const stops = [log.subscribe(news.tell), store.onAppend(news.tell)];
  const loops = webhooks.map((hook) =>
    deliverEvents(
      hook,
      {
        store,
        log,
        parts: { egress, origin: originOf(hook), ...(link === undefined ? {} : { link }) },
        onError,
        onFailing,
        ...(random === undefined ? {} : { random }),
      },
      news,
      ending.signal,
    ),
  );
  return {
    async stop() {
      ending.abort();
      for (const stop of stops) stop();
      news.close();
      await Promise.all(loops);
    },
  };
}

/** The same for every process and attempt, another for another webhook. */
function originOf({ name, url }: Webhook): string {
  return createHash('sha256').update(`${name} ${url}`).digest('hex').slice(0, 12);
}
