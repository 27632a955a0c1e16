import { rmSync } from 'node:fs';
import { signalGroup } from './process-group.ts';

/** Process groups, with the private folder of each. */
const groups = new Map<number, string | undefined>();

/**
 * Has a process group killed, and its private folder removed, should this process end first. Returns how to leave it
 * alone again.
 */
export function endsWithUs(pid: number, folder?: string): () => void {
  if (groups.size === 0) process.once('exit', endAll);
  groups.set(pid, folder);
  return () => {
    groups.delete(pid);
    if (groups.size === 0) process.off('exit', endAll);
  };
}

function endAll(): void {
  for (const [pid, folder] of groups) {
    signalGroup(pid, 'SIGKILL');
    if (folder === undefined) continue;
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // the temporary folder is cleared by the system
    }
  }
}
