import type { Configuration } from '../config/index.ts';
import { asToolcribError } from '../errors.ts';
import type { Finding } from './finding.ts';

/** Whether the receivers of webhooks take what they are sent, as the store knows. Changes nothing. */
export async function checkWebhooks({ store, webhooks }: Configuration): Promise<Finding[]> {
  const check = 'webhooks';
  if (webhooks.length === 0) return [];
  if (store === 'none') {
    const next = 'Name a store, or leave `store` out for the default.';
    return [{ check, status: 'error', message: 'events.webhooks need a store, and store is none.', next }];
  }
  try {
    const { inspectStore } = await import('../store/inspect.ts');
    const { exists, version, needed } = await inspectStore(store);
    if (!exists || version !== needed) return [];
    const [{ openStore }, { webhookStates }] = await Promise.all([
      import('../store/open-store.ts'),
      import('../events/webhooks/webhook-states.ts'),
    ]);
    const opened = await openStore(store, { migrate: false });
    try {
      const states = await webhookStates(opened);
      return webhooks.flatMap(({ name }) => findingsOf(name, states));
    } finally {
      await opened.close();
    }
  } catch (error) {
    const { message, next } = asToolcribError(error);
    return [{ check, status: 'error', message, next }];
  }
}

type States = Awaited<ReturnType<typeof import('../events/webhooks/webhook-states.ts').webhookStates>>;

function findingsOf(name: string, states: States): Finding[] {
  const check = `webhook ${name}`;
  const found = states.find((one) => one.name === name);
  if (found === undefined) return [{ check, status: 'info', message: 'begins with the next start.' }];
  const { state, attempts, behind, error, deadLetters } = found;
  const aside: Finding[] =
    deadLetters === 0
      ? []
      : [{ check, status: 'warning', message: `${deadLetters} events were refused for good and set aside.` }];
  if (state === 'failing' || attempts > 0) {
    const message = `${attempts} attempts failed, ${behind} events wait: ${error ?? 'unknown reason'}`;
    const next = 'Look at the receiver and the secret; delivery goes on by itself.';
    return [{ check, status: state === 'failing' ? 'error' : 'warning', message, next }, ...aside];
  }
  return [
    { check, status: 'ok', message: behind === 0 ? 'has all events.' : `${behind} events behind.` },
    ...aside,
  ];
}
