import { describe, expect, it } from 'vitest';
import { createDegradedTools, DEGRADED_MARK } from '../../../src/executors/skill/index.ts';
import type { Operation } from '../../../src/operations/index.ts';
import { SCRIPT, startStage, toolOf } from './tool-under-test.ts';

const TOOL = toolOf(SCRIPT);
const OTHER = toolOf(SCRIPT, { id: 'marking/other' });
const CHANGED = toolOf({ ...SCRIPT, version: 'sha256:02' });

function open(policy: { degradeAfter?: number; coolDownMs?: number; maxCoolDownMs?: number } = {}) {
  const stage = startStage(policy);
  const changes: string[] = [];
  const tools = createDegradedTools({ ...stage, changed: (source) => changes.push(source) });
  const fail = (operation: Operation = TOOL) => {
    const admission = tools.admit(operation);
    return admission.kind === 'paused' ? admission : tools.failed(operation, admission);
  };
  return { stage, tools, changes, fail };
}

describe('a tool that fails again and again', () => {
  it('pauses after the configured number of failures in a row', () => {
    const { tools, changes, fail, stage } = open();
    expect([fail(), fail(), fail()]).toEqual([undefined, undefined, { pauseMs: 30_000, failures: 3 }]);
    expect(tools.isPaused(TOOL)).toBe(true);
    expect(fail()).toEqual({ kind: 'paused', untilMs: 30_000 });
    stage.pass(29_999);
    expect(tools.admit(TOOL)).toEqual({ kind: 'paused', untilMs: 1 });
    expect(changes).toEqual(['teaching']);
  });

  it('starts to count anew after a success', () => {
    const { tools, fail, changes } = open();
    fail();
    fail();
    expect(tools.succeeded(TOOL)).toBe(false);
    expect([fail(), fail()]).toEqual([undefined, undefined]);
    expect(changes).toEqual([]);
  });

  it('lets one call try after the pause, while others are still turned away', () => {
    const { tools, fail, stage, changes } = open({ degradeAfter: 1 });
    fail();
    stage.pass(30_000);
    expect(tools.isPaused(TOOL)).toBe(false);
    expect(tools.admit(TOOL)).toEqual({ kind: 'trial' });
    expect(tools.admit(TOOL)).toEqual({ kind: 'paused', untilMs: 1000 });
    expect(tools.isPaused(TOOL)).toBe(true);
    expect(tools.succeeded(TOOL)).toBe(true);
    expect(tools.admit(TOOL)).toEqual({ kind: 'open' });
    expect(tools.markOf(TOOL)).toBeUndefined();
    expect(changes).toEqual(['teaching', 'teaching']);
  });

  it('is tried once the clock was set back: what is left would be longer than any pause', () => {
    const { tools, fail, stage } = open({ degradeAfter: 1 });
    fail();
    stage.pass(-3_600_000);
    expect(tools.isPaused(TOOL)).toBe(false);
    expect(tools.admit(TOOL)).toEqual({ kind: 'trial' });
  });

  it('pauses twice as long after each trial that fails, up to the longest pause', () => {
    const { fail, stage, changes } = open({ degradeAfter: 1, maxCoolDownMs: 100_000 });
    const pauses = [0, 30_000, 60_000, 100_000].map((wait) => {
      stage.pass(wait);
      return (fail() as { pauseMs: number }).pauseMs;
    });
    expect(pauses).toEqual([30_000, 60_000, 100_000, 100_000]);
    // it stays degraded meanwhile: lists do not differ
    expect(changes).toEqual(['teaching']);
  });

  it('gives the trial to the next call when one ends without saying anything', () => {
    const { tools, fail, stage } = open({ degradeAfter: 1 });
    fail();
    stage.pass(30_000);
    const trial = tools.admit(TOOL);
    tools.undecided(TOOL, { kind: 'open' });
    expect(tools.admit(TOOL).kind).toBe('paused');
    tools.undecided(TOOL, trial);
    expect(tools.admit(TOOL).kind).toBe('trial');
  });

  it('is not made to pause longer by calls that began before the pause', () => {
    const { tools, stage } = open({ degradeAfter: 1 });
    const early = [tools.admit(TOOL), tools.admit(TOOL)];
    expect(early.map((admission) => tools.failed(TOOL, admission)?.pauseMs)).toEqual([30_000, undefined]);
    stage.pass(30_000);
    expect(tools.admit(TOOL).kind).toBe('trial');
  });
});

describe('what is known', () => {
  it('is of one tool in one version', () => {
    const { tools, fail } = open({ degradeAfter: 1 });
    fail();
    expect([TOOL, OTHER, CHANGED].map((tool) => tools.admit(tool).kind)).toEqual(['paused', 'open', 'open']);
  });

  it('is shown by operation, and forgotten with the version', () => {
    const { tools, fail, changes, stage } = open({ degradeAfter: 2 });
    fail();
    fail();
    fail(OTHER);
    expect(tools.marks('teaching')).toEqual({ 'marking/mark.all': DEGRADED_MARK });
    expect(tools.marks('elsewhere')).toBeUndefined();
    expect(tools.list()).toEqual([
      {
        source: 'teaching',
        skill: 'marking',
        tool: 'mark.all',
        version: 'sha256:01',
        failures: 2,
        pausedUntil: stage.now() + 30_000,
      },
    ]);
    tools.keepOnly('teaching', 'marking', 'sha256:01');
    tools.keepOnly('teaching', 'another', 'sha256:02');
    expect(tools.markOf(TOOL)?.failures).toBe(2);
    tools.keepOnly('teaching', 'marking', 'sha256:02');
    expect(tools.marks('teaching')).toBeUndefined();
    expect(changes).toEqual(['teaching', 'teaching']);
  });

  it('has an end: the tool that failed longest ago is forgotten first', () => {
    const { tools, fail, changes } = open({ degradeAfter: 1 });
    for (let at = 0; at <= 1000; at++) fail(toolOf(SCRIPT, { id: `marking/t${at}` }));
    expect(tools.list()).toHaveLength(1000);
    expect(tools.list()[0]?.tool).toBe('t1');
    expect(changes).toHaveLength(1002);
  });
});
