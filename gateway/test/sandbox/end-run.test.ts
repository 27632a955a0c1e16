import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import { askRunToEnd, endRun } from '../../src/sandbox/end-run.ts';
import { processFacts } from '../../src/sandbox/proc.ts';
import { forgetRun, RUN_MARK, remainingProcesses, traceRun } from '../../src/sandbox/run-traces.ts';

afterEach(() => vi.restoreAllMocks());

it.skipIf(process.platform !== 'linux')('asks every process of a run to end, and none twice', async () => {
  const mark = 'e'.repeat(32);
  const child = spawn('sh', ['-c', 'sleep 60 & setsid sleep 60 & wait'], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], [RUN_MARK]: mark },
  });
  const pid = child.pid!;
  const nowhere = `${tmpdir()}/no-such-folder-of-a-run`;
  const traces = traceRun(pid, mark, { work: nowhere, cwd: nowhere, adjustment: undefined })!;
  try {
    // the shell and its child, and one that has left their group
    let outside: number[] = [];
    await expect
      .poll(async () => {
        const found = await remainingProcesses(traces, true);
        outside = found.filter((one) => processFacts(one)?.group !== pid);
        return [found.length, outside.length];
      })
      .toEqual([3, 1]);
    const asked = vi.spyOn(process, 'kill');
    await askRunToEnd(pid, traces);
    expect(asked.mock.calls).toEqual([
      [-pid, 'SIGTERM'],
      [outside[0], 'SIGTERM'],
    ]);
  } finally {
    await endRun(pid, traces, true);
    forgetRun(traces);
  }
});

it.skipIf(process.platform !== 'linux')(
  'says when those that were found first are killed, before all have gone',
  async () => {
    const mark = 'd'.repeat(32);
    const child = spawn('sh', ['-c', 'setsid -w sleep 60; :'], {
      detached: true,
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], [RUN_MARK]: mark },
    });
    const pid = child.pid!;
    const nowhere = `${tmpdir()}/no-such-folder-of-a-run`;
    const traces = traceRun(pid, mark, { work: nowhere, cwd: nowhere, adjustment: undefined })!;
    try {
      await expect.poll(async () => (await remainingProcesses(traces, true)).length).toBe(2);
      const asked = vi.spyOn(process, 'kill');
      const killed: number[] = [];
      expect(await endRun(pid, traces, true, () => killed.push(asked.mock.calls.length))).toBe(true);
      // both, and their groups
      expect(killed[0]).toBeGreaterThanOrEqual(3);
    } finally {
      forgetRun(traces);
    }
  },
);
