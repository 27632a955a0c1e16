/** Watches a session only while something is open there. */
export interface HangWatch {
  /** Something was sent: look after it. */
  arm(): void;
  /** Looks at once; settles when it is known whether the server lives. */
  check(): Promise<void>;
  stop(): void;
}

export interface HangWatchOptions {
  /** Milliseconds in which the server must answer a ping. */
  readonly hangMs: number;
  /** Requests that wait for an answer. */
  open(): number;
  /** When the server was last heard, milliseconds since the epoch. */
  heardAt(): number;
  /** Settles when anything comes back, a refusal too; rejects when nothing did within `hangMs`. */
  ping(deadline: number): Promise<void>;
  hung(): void;
}

const LONGEST_QUIET_MS = 5_000;

/** A server that is quiet while calls are open is asked for a sign of life; without one it counts as hung. */
export function createHangWatch(options: HangWatchOptions): HangWatch {
  const { hangMs, open, heardAt, ping, hung } = options;
  const quietMs = Math.min(Math.max(hangMs / 2, 50), LONGEST_QUIET_MS);
  let timer: NodeJS.Timeout | undefined;
  let pinging: Promise<void> | undefined;
  let stopped = false;

  const look = async () => {
    timer = undefined;
    if (stopped || pinging !== undefined || open() === 0) return;
    // a clock that was set back makes nobody heard
    if (Math.abs(Date.now() - heardAt()) < quietMs) return arm();
    await probe();
  };
  const probe = (): Promise<void> => {
    pinging ??= ask().finally(() => {
      pinging = undefined;
      if (open() > 0) arm();
    });
    return pinging;
  };
  const ask = async () => {
    const since = heardAt();
    try {
      await ping(Date.now() + hangMs);
    } catch {
      // whatever came meanwhile is a sign of life too
      if (!stopped && heardAt() <= since) hung();
    }
  };
  const arm = () => {
    if (timer !== undefined || stopped || pinging !== undefined) return;
    timer = setTimeout(() => void look(), quietMs);
    timer.unref();
  };
  return {
    arm,
    check: async () => {
      if (!stopped) await probe();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
