import type { WebhookConfiguration } from '../config/index.ts';
import { createSecretReader, type Environment } from '../credentials/secret-reference.ts';
import type { Egress } from '../egress/index.ts';
import { type RunningWebhooks, startWebhooks } from '../events/webhooks/start-webhooks.ts';
import type { LinkOf } from '../events/webhooks/webhook.ts';
import type { Store } from '../store/store.ts';
import type { GatewayEvents } from './gateway-events.ts';

export interface RunWebhooksParts {
  readonly webhooks: readonly WebhookConfiguration[];
  readonly store: Store;
  readonly events: Pick<GatewayEvents, 'list' | 'subscribe'>;
  readonly egress: Pick<Egress, 'request'>;
  readonly env: Environment;
  /** Is told the signing secrets. */
  readonly redactor: { add(secret: string): void };
  readonly link?: LinkOf;
  readonly report: (error: unknown, what: string) => void;
  /** Writes a warning to the log. */
  readonly warn: (text: string) => void;
}

/** The webhooks of a configuration. Stop them before others of the same names are started. */
export function runWebhooks(parts: RunWebhooksParts): RunningWebhooks {
  const { webhooks, store, events, egress, env, redactor, link, report, warn } = parts;
  const secrets = createSecretReader(env, (secret) => redactor.add(secret));
  return startWebhooks({
    store,
    log: events,
    egress,
    webhooks: webhooks.map(({ secret, ...hook }) => ({
      ...hook,
      secret: (signal) => secrets.read(secret, `the webhook ${hook.name}`, signal),
    })),
    ...(link === undefined ? {} : { link }),
    onError: (error) => report(error, 'Webhooks could not be delivered for now.'),
    onFailing: ({ name }, error) =>
      warn(`Webhook ${name} fails, and is tried again (\`toolcrib events --webhooks\`): ${error}`),
  });
}
