import type { Store } from '../../store/store.ts';
import type { EventLog } from '../event-log.ts';
import { newestSequence } from '../presence.ts';
import { type DeliveryParts, deliver } from './delivery.ts';
import type { News } from './news.ts';
import { pauseAfter } from './pauses.ts';
import { type HookProgress, type HookState, hookProgress } from './progress.ts';
import type { Webhook } from './webhook.ts';

export interface DeliveryLoop {
  readonly store: Store;
  readonly log: Pick<EventLog, 'list'>;
  readonly parts: DeliveryParts;
  /** Something could not be read or written; it is tried again. */
  readonly onError: (error: unknown) => void;
  /** The first delivery that failed, and again only once one succeeded in between. */
  readonly onFailing: (hook: Webhook, error: string) => void;
  readonly random?: () => number;
}

/** What a pass ends with: when to look again at the latest. `news`: or as soon as there is another event. */
interface Pass {
  readonly waitMs: number;
  readonly news: boolean;
}

/** Events read at once. */
const PAGE = 200;
/** A look without news, milliseconds: notices can be lost, and leases run out. */
const LOOK_MS = 30_000;
/** After a fault of the store. */
const FAULT_MS = 5_000;

/**
 * Delivers to one webhook until the signal ends: in order, at least once, one process at a time. Resolves with the
 * lease given back.
 */
export async function deliverEvents(
  hook: Webhook,
  loop: DeliveryLoop,
  news: News,
  signal: AbortSignal,
): Promise<void> {
  const progress = hookProgress(loop.store, hook.name);
  const told = toldOnce((error) => loop.onFailing(hook, error));
  while (!signal.aborted) {
    let pass: Pass;
    const mark = news.mark();
    try {
      pass = await onePass(hook, progress, loop, told, signal);
    } catch (error) {
      if (signal.aborted) break;
      loop.onError(error);
      pass = { waitMs: FAULT_MS, news: false };
    }
    if (!signal.aborted) await news.wait(pass.waitMs, pass.news ? mark : undefined);
  }
  await progress.release().catch(() => undefined);
}

interface Told {
  failed(error: string): void;
  delivered(): void;
}

function toldOnce(tell: (error: string) => void): Told {
  let failing = false;
  return {
    failed(error) {
      if (!failing) tell(error);
      failing = true;
    },
    delivered() {
      failing = false;
    },
  };
}

async function onePass(
  hook: Webhook,
  progress: HookProgress,
  loop: DeliveryLoop,
  told: Told,
  signal: AbortSignal,
): Promise<Pass> {
  const leased = await progress.lease();
  if ('heldForMs' in leased) return { waitMs: Math.min(leased.heldForMs + 50, LOOK_MS), news: false };
  if (leased.waitMs > 0) return { waitMs: Math.min(leased.waitMs, LOOK_MS), news: false };
  return deliverPage(hook, leased, progress, loop, told, signal);
}

async function deliverPage(
  hook: Webhook,
  { cursor, attempts }: HookState,
  progress: HookProgress,
  loop: DeliveryLoop,
  told: Told,
  signal: AbortSignal,
): Promise<Pass> {
  const { store, log, parts, random } = loop;
  const wanted = hook.types === undefined ? undefined : new Set(hook.types);
  const events = await log.list(cursor, { limit: PAGE });
  if (events.length === 0) {
    // a store that was begun anew counts from one again
    if ((await newestSequence(store)) < cursor) await progress.passed(0);
    return { waitMs: LOOK_MS, news: true };
  }
  let failed = attempts;
  let skipped: number | undefined;
  for (const event of events) {
    if (signal.aborted) break;
    if (wanted !== undefined && !wanted.has(event.type)) {
      skipped = event.sequence;
      continue;
    }
    const delivery = await deliver(hook, event, parts, signal);
    if (signal.aborted && delivery.outcome !== 'delivered') break;
    if (delivery.outcome === 'delivered') {
      told.delivered();
      if (!(await progress.passed(event.sequence))) return AGAIN;
      failed = 0;
      skipped = undefined;
      continue;
    }
    failed++;
    told.failed(delivery.error);
    if (delivery.outcome === 'refused' && failed >= hook.attempts) {
      await progress.setAside(event.sequence, failed, delivery.error);
      return AGAIN;
    }
    const pause = pauseAfter(failed, delivery.retryAfterMs, random);
    await progress.failed(failed, delivery.error, pause, failed >= hook.attempts ? 'failing' : 'active');
    return { waitMs: Math.min(pause, LOOK_MS), news: false };
  }
  if (skipped !== undefined) await progress.passed(skipped);
  return AGAIN;
}

const AGAIN: Pass = { waitMs: 0, news: false };
