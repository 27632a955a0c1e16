import { signalGroup } from './process-group.ts';

const groups = new Set<number>();

/** Has a process group killed should this process end first. Returns how to leave it alone again. */
export function endsWithUs(pid: number): () => void {
  if (groups.size === 0) process.once('exit', killAll);
  groups.add(pid);
  return () => {
    groups.delete(pid);
    if (groups.size === 0) process.off('exit', killAll);
  };
}

function killAll(): void {
  for (const pid of groups) signalGroup(pid, 'SIGKILL');
}
