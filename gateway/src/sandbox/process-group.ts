import type { ChildProcess } from 'node:child_process';
import { endTree } from './windows-tree.ts';

/** After the end of stdin, milliseconds until SIGTERM, then until SIGKILL, then until it is given up. */
const GRACE_MS = { term: 250, kill: 900, giveUp: 1_600 };

/**
 * Signals the whole group of a detached process; false where nothing is left of it. On Windows whichever signal ends the
 * process and those below it.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  if (process.platform === 'win32') return endTree(pid);
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Ends a process and whatever it started: end of stdin, SIGTERM (not on Windows), SIGKILL. Settles when the process is
 * gone, at the latest after 1.6 seconds, also when a grandchild keeps its pipes open.
 *
 * @param force skips the polite part: a hanging server is not asked
 */
export function endProcess(
  child: ChildProcess,
  force: boolean,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return Promise.resolve();
  if (hasExited(child)) {
    signalGroup(pid, 'SIGKILL');
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const timers: NodeJS.Timeout[] = [];
    const settle = () => {
      for (const timer of timers) clearTimeout(timer);
      child.off('exit', settle);
      signalGroup(pid, 'SIGKILL');
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
      resolve();
    };
    child.once('exit', settle);
    if (force) signalGroup(pid, 'SIGKILL');
    else {
      child.stdin?.end();
      // Windows asks nobody: whichever signal ends at once
      if (platform !== 'win32') timers.push(setTimeout(() => signalGroup(pid, 'SIGTERM'), GRACE_MS.term));
      timers.push(setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS.kill));
    }
    timers.push(setTimeout(settle, GRACE_MS.giveUp));
  });
}

export function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
