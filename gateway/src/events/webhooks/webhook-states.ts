import type { Store } from '../../store/store.ts';
import { newestSequence } from '../presence.ts';

/** How one webhook does, for people. */
export interface WebhookReport {
  readonly name: string;
  readonly state: 'active' | 'failing';
  /** Events behind the newest; not all are for it. */
  readonly behind: number;
  /** Attempts at the next event that failed. */
  readonly attempts: number;
  readonly error?: string;
  /** Events that its receiver refused for good. */
  readonly deadLetters: number;
}

/** Every webhook that the store knows. */
export async function webhookStates(store: Pick<Store, 'database'>): Promise<readonly WebhookReport[]> {
  const newest = await newestSequence(store);
  const rows = await store.database.selectFrom('webhooks').selectAll().orderBy('name').execute();
  const letters = await store.database
    .selectFrom('webhook_dead_letters')
    .select(['webhook', (on) => on.fn.countAll().as('count')])
    .groupBy('webhook')
    .execute();
  const lettersOf = new Map(letters.map(({ webhook, count }) => [webhook, Number(count)]));
  return rows.map(({ name, state, cursor, attempts, error }) => ({
    name,
    state: state === 'failing' ? 'failing' : 'active',
    behind: Math.max(0, newest - Number(cursor)),
    attempts: Number(attempts),
    ...(error === null ? {} : { error }),
    deadLetters: lettersOf.get(name) ?? 0,
  }));
}
