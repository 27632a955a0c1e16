import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What Linux tells about a process. */
export interface ProcessFacts {
  readonly parent: number;
  readonly group: number;
  /** Since the system started, in clock ticks. */
  readonly startedAt: number;
  /** It ended, and its parent has not taken notice. */
  readonly isOver: boolean;
}

/** Whether processes can be looked at here. */
export function hasProc(): boolean {
  return process.platform === 'linux' && existsSync('/proc/self/stat');
}

/** Cheaper than facts where there is hardly anything. Threads have ids too. */
export function mayExist(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

export function processFacts(pid: number): ProcessFacts | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // the name stands in brackets and may hold anything, brackets too
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    isOver: fields[0] === 'Z' || fields[0] === 'X',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    startedAt: Number(fields[19]),
  };
}

/** The variables that a process was started with, separated by NUL; empty where they cannot be read. */
export function environmentText(pid: number): string {
  return read(`/proc/${pid}/environ`) ?? '';
}

export function workingFolder(pid: number): string {
  return linkOf(`/proc/${pid}/cwd`);
}

/** What the descriptors of a process lead to: `socket:[1234]`, `/dev/null`, … */
export function descriptorTargets(pid: number, descriptors?: readonly number[]): string[] {
  try {
    const names = descriptors ?? readdirSync(`/proc/${pid}/fd`);
    return names.map((name) => linkOf(`/proc/${pid}/fd/${name}`)).filter((target) => target !== '');
  } catch {
    return [];
  }
}

export function oomAdjustment(pid: number | 'self'): number | undefined {
  const text = read(`/proc/${pid}/oom_score_adj`);
  return text === undefined ? undefined : Number(text);
}

/** The process id that was given out last. */
export function lastProcessId(): number | undefined {
  const text = read('/proc/loadavg');
  return text === undefined ? undefined : Number(text.slice(text.lastIndexOf(' ') + 1));
}

/** Every process that can be seen from here. */
export function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
