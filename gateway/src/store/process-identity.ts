import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Who this process is among those that share a store. */
export interface ProcessIdentity {
  /** 128 random bits in hex. */
  readonly id: string;
  /** Equal for processes that see each other's process ids. */
  readonly machine: string;
  readonly pid: number;
}

export function processIdentity(): ProcessIdentity {
  return { id: randomBytes(16).toString('hex'), machine: machineName(), pid: process.pid };
}

/** Of this process's own machine: there is no process with this id any more. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Host, boot and process namespace: two containers with one name and one file do not know each other's processes. */
function machineName(): string {
  const facts = [
    hostname(),
    attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    attempt(() => readlinkSync('/proc/self/ns/pid')),
  ];
  return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 32);
}

/** What this operating system does not have counts as empty. */
function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
