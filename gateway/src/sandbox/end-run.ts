import { setTimeout as pause } from 'node:timers/promises';
import { processFacts } from './proc.ts';
import { signalGroup } from './process-group.ts';
import { type RunTraces, remainingProcesses } from './run-traces.ts';

/** Longest that processes are hunted for, milliseconds; each that was killed needs a moment to go. */
const HUNT_MS = 500;
/** So often they are looked for at least, however busy the machine is. */
const MIN_ROUNDS = 10;
const PAUSE_MS = 3;

/** Asks every process of a run to end, once: who tidies up when it is asked would else do so twice. */
export async function askRunToEnd(pid: number, traces: RunTraces | undefined): Promise<void> {
  // while their parents live, children can be told by them
  const found = traces === undefined ? [] : await remainingProcesses(traces, false);
  const others = found.filter((one) => processFacts(one)?.group !== pid);
  signalGroup(pid, 'SIGTERM');
  for (const one of others) signal(one, 'SIGTERM');
}

/**
 * Kills every process of a run that can be found, and waits until they are gone, half a second or ten looks at most.
 * Groups are killed at once: a daemon that moves on to a new process all the time stays in its group.
 *
 * @param closed nobody holds its pipes any more
 * @param looked told when those that the first look found were killed, which takes seconds on a busy machine
 * @returns false where some were there until the end
 */
export async function endRun(
  pid: number,
  traces: RunTraces | undefined,
  closed: boolean,
  looked?: () => void,
): Promise<boolean> {
  if (traces === undefined) {
    signalGroup(pid, 'SIGKILL');
    looked?.();
    return true;
  }
  // before its first process dies: afterwards nobody's children can be told by it
  const until = performance.now() + HUNT_MS;
  const killed = new Set<number>();
  for (let round = 1; ; round++) {
    const known = traces.groups.size;
    const found = await remainingProcesses(traces, closed);
    const isNew = found.some((one) => !killed.has(one));
    for (const group of [pid, ...traces.groups]) signalGroup(group, 'SIGKILL');
    for (const one of found) {
      killed.add(one);
      signal(one, 'SIGKILL');
    }
    if (round === 1) looked?.();
    if (found.length === 0 && traces.groups.size === known) return true;
    if (round >= MIN_ROUNDS && performance.now() > until) return false;
    // new ones at once, before they make others
    if (!isNew) await pause(PAUSE_MS);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it went by itself
  }
}
