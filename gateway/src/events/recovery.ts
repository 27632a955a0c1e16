import { createEndedProcess } from '../store/ended-process.ts';
import type { Store } from '../store/store.ts';
import { recoverOpenCalls } from './recover-open-calls.ts';

const EVERY_MS = 10_000;

/** Looks for calls that nobody can end: at once, and now and then. Keeps no process alive. */
export function startRecovery(store: Store, onError: (error: unknown) => void): { stop(): Promise<void> } {
  const hasEnded = createEndedProcess(store);
  let running: Promise<unknown> | undefined;
  const look = () => {
    running ??= recoverOpenCalls(store, hasEnded)
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(look, EVERY_MS).unref();
  look();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
