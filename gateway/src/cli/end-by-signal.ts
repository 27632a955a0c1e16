import { constants } from 'node:os';

/** That ask a process to end. The last is Ctrl-Break, which Windows alone has. */
export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

type EndSignal = (typeof END_SIGNALS)[number];

/** What a shell says of a program that this signal ended. */
export function exitOf(signal: EndSignal): number {
  return 128 + constants.signals[signal];
}

/**
 * Has signals end this process as they do by themselves, but behind what tidies up at its exit: else the servers and
 * programs that it started would stay. A command that listens for them finishes first what it has to.
 */
export function endBySignals(): void {
  const end = (signal: EndSignal): void => {
    if (process.listenerCount(signal) > 1) return;
    endsWith(exitOf(signal));
    process.exit();
  };
  for (const signal of END_SIGNALS) process.on(signal, end);
}

/**
 * The process ends with this code. Where that stands for a signal, it ends by the signal: a shell leaves its loop, and
 * a supervisor sees no failure, only there.
 */
export function endsWith(code: number): void {
  process.exitCode = code;
  const signal = END_SIGNALS.find((one) => exitOf(one) === code);
  // on Windows a signal ends with a code of its own
  if (signal === undefined || process.platform === 'win32') return;
  process.once('exit', () => {
    if (process.stdin.isTTY && process.stdin.isRaw) process.stdin.setRawMode(false);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
