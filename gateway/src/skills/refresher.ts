/** Compiles what is known, never twice at a time. */
export interface Refresher {
  /** Resolves when a compilation has ended that began after the call; what fails is reported. */
  now(): Promise<void>;
  isRunning(): boolean;
}

export function refresher(refresh: () => Promise<void>, failed: (error: unknown) => void): Refresher {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    const current = refresh()
      .catch(failed)
      .finally(() => {
        if (running === current) running = undefined;
      });
    running = current;
    return current;
  };
  return {
    now() {
      if (running === undefined) return run();
      next ??= running.then(() => {
        next = undefined;
        return run();
      });
      return next;
    },
    isRunning: () => running !== undefined,
  };
}
