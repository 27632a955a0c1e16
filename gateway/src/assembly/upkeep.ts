import type { Approvals } from '../approvals/index.ts';
import type { ArtifactStore } from '../artifacts/index.ts';
import type { Tasks } from '../call-tasks/index.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Store } from '../store/store.ts';

export interface UpkeepParts {
  readonly configuration: Configuration;
  readonly store: Store;
  readonly approvals: () => Promise<Pick<Approvals, 'sweep' | 'prune'>>;
  readonly artifacts: () => Promise<Pick<ArtifactStore, 'sweep'>>;
  readonly tasks: () => Promise<Pick<Tasks, 'sweep'>>;
  readonly failed: (error: unknown, what: string) => void;
}

/** How often what has ended or grown old is looked for, milliseconds. */
const EVERY_MS = 60 * 60 * 1000;
const DAY_MS = 86_400_000;

/** Removes old events, usage rows, artifacts, tasks and approvals, now and every hour. Ends when the returned function did. */
export function startUpkeep(parts: UpkeepParts): () => Promise<void> {
  const { configuration, store, failed } = parts;
  const { retention } = configuration;
  const ending = new AbortController();
  let running: Promise<unknown> | undefined;
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    if (ending.signal.aborted) return;
    await work().catch((error) => {
      if (!ending.signal.aborted) failed(error, what);
    });
  };
  const round = async () => {
    await attempt('Old events and usage rows could not be removed.', async () => {
      const { prune } = await import('../usage/prune.ts');
      return prune(store, retention, { signal: ending.signal });
    });
    await attempt('Expired artifacts could not be removed.', async () => (await parts.artifacts()).sweep());
    await attempt('Ended tasks could not be removed.', async () => (await parts.tasks()).sweep());
    await attempt('Ended approvals could not be swept.', async () => {
      const approvals = await parts.approvals();
      await approvals.sweep();
      return approvals.prune(Date.now() - retention.eventDays * DAY_MS);
    });
  };
  const run = () => {
    running ??= round().finally(() => {
      running = undefined;
    });
  };
  run();
  const timer = setInterval(run, EVERY_MS);
  timer.unref();
  return async () => {
    ending.abort();
    clearInterval(timer);
    await running;
  };
}
