import { setImmediate as nextTurn } from 'node:timers/promises';
import { once } from '../operations/work/once.ts';
import { ownAdjustment } from './inherited-mark.ts';
import {
  descriptorTargets,
  environmentText,
  hasProc,
  lastProcessId,
  mayExist,
  oomAdjustment,
  type ProcessFacts,
  processFacts,
  processIds,
  workingFolder,
} from './proc.ts';

/**
 * What tells the processes of one run from all others, without a namespace around them. In this order: the process
 * group; a random variable in the environment; a private working folder; the pipes; a descent from any of these; for
 * orphans a raised `oom_score_adj`, which is inherited whatever a process does to its environment, or another one in the
 * folder of the package. What gives up all of them at once can escape: a daemon that clears its environment, leaves the folder,
 * closes its pipes and sets back its `oom_score_adj`, or has another service start it. Elsewhere than on Linux only the
 * process group is known.
 */
export interface RunTraces {
  /** First process, and its group. */
  readonly pid: number;
  /** Value of `RUN_MARK`. */
  readonly mark: string;
  readonly startedAt: number;
  readonly adjustment: number | undefined;
  /** Private to this run. */
  readonly work: string;
  /** Perhaps shared with other runs. */
  readonly cwd: string;
  readonly pipes: readonly string[];
  /** Found before, with the time of their start: their parents may be gone. */
  readonly seen: Map<number, number>;
  /** Of processes that were found. A script is started in a session of its own: none of these has a stranger in it. */
  readonly groups: Set<number>;
  /** By the clock of `performance.now`. */
  readonly since: number;
}

/** The variable that marks a run. */
export const RUN_MARK = 'TOOLCRIB_MARK';
const MARKED = new RegExp(`(?:^|\\0)${RUN_MARK}=([0-9a-f]+)`);

/** Shorter runs cannot have used up all process ids: later ones are higher. Milliseconds. */
const ONE_ROUND_MS = 500;
/** So many ids are sooner tried than listed. */
const FEW = 16;
/** Processes looked at before others get their turn. */
const PER_TURN = 64;
/** Looks at those that were started during a look, and how many ids each may be behind. */
const LATE_LOOKS = 5;
const MOST_LATE = 1024;
const running = new Map<string, RunTraces>();
const isLinux = once(hasProc);
const ownGroup = once(() => processFacts(process.pid)?.group);
/** The gateway's ancestors: whom orphans are given to. */
const foster = once(() => new Set([1, ...ancestors(process.pid)]));

/** Values of `oom_score_adj` that runs have at the moment. */
export function adjustmentsInUse(): Set<number | undefined> {
  return new Set([...running.values()].map(({ adjustment }) => adjustment));
}

/** Takes the traces of a process that was just started with the mark. Undefined where none can be taken. */
export function traceRun(
  pid: number,
  mark: string,
  given: Pick<RunTraces, 'work' | 'cwd' | 'adjustment'>,
): RunTraces | undefined {
  if (!isLinux()) return undefined;
  const startedAt = processFacts(pid)?.startedAt ?? 0;
  const pipes = descriptorTargets(pid, [1, 2]).filter((target) => /^(?:socket|pipe):/.test(target));
  const traces = {
    pid,
    mark,
    startedAt,
    pipes,
    ...given,
    seen: new Map(),
    groups: new Set<number>(),
    since: performance.now(),
  };
  running.set(mark, traces);
  return traces;
}

export function forgetRun(traces: RunTraces): void {
  running.delete(traces.mark);
}

/**
 * Processes of the run that are still there, zombies left out.
 *
 * @param closed nobody holds its pipes any more, so that nobody is looked for by them
 */
export async function remainingProcesses(traces: RunTraces, closed: boolean): Promise<number[]> {
  const candidates = await candidatesOf(traces);
  const found = new Set<number>();
  for (const [pid, facts] of candidates) if (belongs(pid, facts, traces, closed)) found.add(pid);
  // children of what was found, and theirs
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [pid, { parent }] of candidates)
      if (parent === traces.pid || found.has(parent)) found.add(pid);
  }
  for (const pid of found) {
    const { startedAt, group } = candidates.get(pid)!;
    traces.seen.set(pid, startedAt);
    if (isOfRun(group, traces)) traces.groups.add(group);
  }
  return [...found];
}

/** Not our own group, nor one that was there before the run. */
function isOfRun(group: number, { startedAt }: RunTraces): boolean {
  if (group <= 1 || group === ownGroup()) return false;
  const leader = processFacts(group);
  return leader === undefined || leader.startedAt >= startedAt;
}

async function candidatesOf(traces: RunTraces): Promise<Map<number, ProcessFacts>> {
  const { pid, since, startedAt, adjustment } = traces;
  const last = lastProcessId();
  const isOneRound = performance.now() - since < ONE_ROUND_MS && last !== undefined && last >= pid;
  const candidates = new Map<number, ProcessFacts>();
  if (isOneRound && last - pid <= FEW) considerAll(pid, last);
  else {
    let looked = 0;
    for (const id of processIds()) {
      if (isOneRound && (id < pid || id > last)) continue;
      consider(id);
      if (++looked % PER_TURN === 0) await nextTurn();
    }
  }
  if (last !== undefined) considerLate(last);
  return candidates;

  /**
   * Who was started during the look may be all that is left of somebody who went before it was looked at. Of more than can
   * be looked at the newest are: who moves on all the time is among them.
   */
  function considerLate(known: number): void {
    let from = known;
    for (let look = 0; look < LATE_LOOKS; look++) {
      const newest = lastProcessId() ?? from;
      if (newest === from) return;
      let first = from + 1;
      // ids begin anew behind the highest
      if (newest < from) {
        considerAll(first, from + MOST_LATE);
        first = 2;
      }
      considerAll(Math.max(first, newest - MOST_LATE), newest);
      from = newest;
    }
  }

  function considerAll(first: number, newest: number): void {
    for (let id = first; id <= newest; id++) if (mayExist(id)) consider(id);
  }

  function consider(id: number): void {
    if (id === process.pid || id <= 1) return;
    const facts = processFacts(id);
    if (facts === undefined || facts.startedAt < startedAt) return;
    if (!facts.isOver) candidates.set(id, facts);
    // one that is over still tells its group, where others may be that never stand still
    else if (adjustment !== undefined && oomAdjustment(id) === adjustment && isOfRun(facts.group, traces))
      traces.groups.add(facts.group);
  }
}

function belongs(pid: number, facts: ProcessFacts, traces: RunTraces, closed: boolean): boolean {
  const { group, parent, startedAt } = facts;
  if (pid === traces.pid || group === traces.pid || traces.groups.has(group)) return true;
  if (traces.seen.get(pid) === startedAt) return true;
  const mark = MARKED.exec(environmentText(pid))?.[1];
  if (mark === traces.mark) return true;
  if (mark !== undefined && running.has(mark)) return false;
  const folder = workingFolder(pid);
  if (isInside(folder, traces.work)) return true;
  if (!closed && descriptorTargets(pid).some((target) => traces.pipes.includes(target))) return true;
  if (!foster().has(parent)) return false;
  const adjustment = oomAdjustment(pid);
  if (traces.adjustment !== undefined && adjustment === traces.adjustment) return true;
  // somebody's shell or editor may stand in the folder too
  return adjustment !== ownAdjustment() && isInside(folder, traces.cwd) && isAloneIn(traces);
}

/** The folder, one in it, or one that was there. */
function isInside(folder: string, outer: string): boolean {
  return folder.startsWith(outer) && ['', '/', ' '].includes(folder.charAt(outer.length));
}

/** Runs of one package share their folder: the last of them clears it. */
function isAloneIn(traces: RunTraces): boolean {
  for (const other of running.values())
    if (other !== traces && (isInside(other.cwd, traces.cwd) || isInside(traces.cwd, other.cwd)))
      return false;
  return true;
}

function ancestors(pid: number): number[] {
  const parent = processFacts(pid)?.parent ?? 0;
  return parent <= 1 ? [] : [parent, ...ancestors(parent)];
}
