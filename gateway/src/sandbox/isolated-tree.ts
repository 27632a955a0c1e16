import { processFacts, processIds } from './proc.ts';

/** Asks everything in a namespace to end, but for its first process, which belongs to bwrap. */
export function askIsolatedToEnd(init: number): void {
  const parents = new Map<number, number>();
  for (const pid of processIds()) {
    const facts = processFacts(pid);
    if (facts !== undefined && !facts.isOver) parents.set(pid, facts.parent);
  }
  const inside = new Set([init]);
  for (let before = 0; before !== inside.size; ) {
    before = inside.size;
    for (const [pid, parent] of parents) if (inside.has(parent)) inside.add(pid);
  }
  inside.delete(init);
  for (const pid of inside) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // it went by itself
    }
  }
}
