import { beforeEach, expect, it, vi } from 'vitest';
import { forgetRun, RUN_MARK, remainingProcesses, traceRun } from '../../src/sandbox/run-traces.ts';

/** The ids that were given out last, one for each time that they are asked for, and who is there. */
const machine = vi.hoisted(() => ({ last: [] as number[], there: new Set<number>() }));
const MARK = 'e'.repeat(32);
const FIRST = 1000;

vi.mock('../../src/sandbox/proc.ts', () => ({
  hasProc: () => true,
  processIds: () => [],
  lastProcessId: () => (machine.last.length > 1 ? machine.last.shift() : machine.last[0]),
  mayExist: (pid: number) => machine.there.has(pid),
  processFacts: (pid: number) =>
    machine.there.has(pid) ? { parent: 1, group: pid, startedAt: 7, isOver: false } : undefined,
  environmentText: (pid: number) => (machine.there.has(pid) ? `${RUN_MARK}=${MARK}` : ''),
  workingFolder: () => '/',
  descriptorTargets: () => [],
  oomAdjustment: () => 0,
}));

beforeEach(() => {
  machine.there.clear();
});

it.each([
  ['of few that were started meanwhile', [2000, 2040], 2040],
  ['of more than can be looked at', [2000, 9000], 8990],
  ['of those whose ids began anew', [32_000, 310], 305],
  ['of those before they did', [32_000, 310], 32_001],
])(
  'a process that is all that is left of a run is found behind a long look: one %s',
  async (_of, last, left) => {
    machine.last = [...last];
    machine.there.add(left);
    const nowhere = '/no-such-folder-of-a-run';
    const traces = traceRun(FIRST, MARK, { work: nowhere, cwd: nowhere, adjustment: undefined })!;
    try {
      expect(await remainingProcesses(traces, true)).toEqual([left]);
    } finally {
      forgetRun(traces);
    }
  },
);
