import { expect, it } from 'vitest';
import { type Call, LOCAL_PRINCIPAL, type TaintPolicy } from '../../src/operations/index.ts';
import { createTaint, type Taint } from '../../src/router/taint.ts';
import type { Store } from '../../src/store/store.ts';
import { plainOperation } from '../catalog/compiled-source.ts';

export interface TaintBench {
  readonly taint: Taint;
  policy: TaintPolicy | undefined;
  /** Milliseconds that are added to the clock of the process. */
  later: number;
}

export function taintBench(store: Store | undefined): TaintBench {
  const bench = { policy: { writes: 'ask', forMs: 60_000 } as TaintPolicy | undefined, later: 0 };
  const taint = createTaint({
    policy: () => bench.policy,
    untrusted: ({ source }) => source !== 'own',
    trusts: (source) => source === 'own',
    store,
    now: () => Date.now() + bench.later,
  });
  return Object.assign(bench, { taint });
}

export function callOf(source: string, access: 'read' | 'write' | 'delete', more: Partial<Call> = {}): Call {
  return {
    id: 'c',
    principal: LOCAL_PRINCIPAL,
    tool: `${source}_tool`,
    operation: { ...plainOperation('tool', source), access },
    arguments: {},
    deadline: Date.now() + 10_000,
    signal: new AbortController().signal,
    channel: {},
    dryRun: false,
    depth: 0,
    run: 'r1',
    ...more,
  };
}
const ann = { ...LOCAL_PRINCIPAL, id: 'ann' };

/** What holds wherever it is remembered. */
export function taintCases(open: () => Promise<Store | undefined>): void {
  const start = async () => taintBench(await open());
  const asked = (taint: Taint, more: Partial<Call> = {}) => taint.reason(callOf('desk', 'write', more));

  it('asks for what changes something once untrusted content was delivered, and says why', async () => {
    const { taint } = await start();
    expect(await asked(taint)).toBeUndefined();
    await taint.mark(callOf('web', 'read'));
    expect(await asked(taint)).toBe(
      'The caller has read untrusted content from source web, which may have asked for this.',
    );
    expect(await taint.reason(callOf('desk', 'delete'))).toBeDefined();
    expect(await taint.reason(callOf('desk', 'read'))).toBeUndefined();
  });

  it('is about one caller and one run', async () => {
    const { taint } = await start();
    await taint.mark(callOf('web', 'read'));
    expect(await asked(taint, { run: 'r2' })).toBeUndefined();
    expect(await asked(taint, { principal: ann })).toBeUndefined();
  });

  it('is not over sooner because of what was read for a shorter time', async () => {
    const bench = await start();
    await bench.taint.mark(callOf('web', 'read'));
    bench.policy = { writes: 'ask', forMs: 1 };
    await bench.taint.mark(callOf('web', 'read'));
    await bench.taint.mark(callOf('web', 'read', { run: 'short' }));
    // once the short one has ended
    await expect.poll(() => asked(bench.taint, { run: 'short' })).toBeUndefined();
    expect(await asked(bench.taint)).toBeDefined();
  });

  it('names the source whose content counts longest', async () => {
    const bench = await start();
    bench.policy = { writes: 'ask', forMs: 600_000 };
    await bench.taint.mark(callOf('web', 'read'));
    bench.policy = { writes: 'ask', forMs: 60_000 };
    await bench.taint.mark(callOf('mail', 'read'));
    expect(await asked(bench.taint)).toContain('from source web');
  });

  it('counts for every run where a call belongs to none', async () => {
    const { taint } = await start();
    const { run: _run, ...without } = callOf('web', 'read');
    await taint.mark(without);
    expect(await asked(taint, { run: 'r9' })).toBeDefined();
    expect(await asked(taint, { principal: ann })).toBeUndefined();
  });

  it('counts where the call that changes something belongs to no run', async () => {
    const { taint } = await start();
    const { run: _run, ...without } = callOf('desk', 'write');
    expect(await taint.reason(without)).toBeUndefined();
    await taint.mark(callOf('web', 'read'));
    expect(await taint.reason(without)).toBeDefined();
  });

  it('counts only sources that are named, where some are', async () => {
    const bench = await start();
    bench.policy = { writes: 'ask', forMs: 60_000, sources: ['web'] };
    await bench.taint.mark(callOf('crm', 'read'));
    expect(await asked(bench.taint)).toBeUndefined();
    await bench.taint.mark(callOf('web', 'read'));
    expect(await asked(bench.taint)).toBeDefined();
  });

  it('does not count what the operator trusts', async () => {
    const { taint } = await start();
    await taint.mark(callOf('own', 'read'));
    expect(await asked(taint)).toBeUndefined();
  });

  it('counts what was read as a resource or prompt, but of a source that the operator trusts', async () => {
    const { taint } = await start();
    await taint.read('own', { principal: LOCAL_PRINCIPAL, run: 'r1' });
    expect(await asked(taint)).toBeUndefined();
    await taint.read('wiki', { principal: LOCAL_PRINCIPAL, run: 'r1' });
    expect(await asked(taint)).toContain('source wiki');
    expect(await asked(taint, { run: 'r2' })).toBeUndefined();
  });

  it('counts resources only of sources that are named, where some are, and what is of nobody knows which', async () => {
    const bench = await start();
    bench.policy = { writes: 'ask', forMs: 60_000, sources: ['wiki'] };
    const reader = { principal: LOCAL_PRINCIPAL, run: 'r1' };
    await bench.taint.read('crm', reader);
    expect(await asked(bench.taint)).toBeUndefined();
    await bench.taint.read('wiki', reader);
    expect(await asked(bench.taint)).toContain('from source wiki');
    await bench.taint.read('', { ...reader, run: 'r2' });
    expect(await asked(bench.taint, { run: 'r2' })).toContain('from outside');
  });

  it('does nothing without a policy, and asks nothing where writes are allowed', async () => {
    const bench = await start();
    for (const policy of [undefined, { writes: 'allow', forMs: 60_000 } as const]) {
      bench.policy = policy;
      await bench.taint.mark(callOf('web', 'read'));
      await bench.taint.read('wiki', { principal: LOCAL_PRINCIPAL, run: 'r1' });
      expect(bench.taint.active).toBe(false);
      expect(await asked(bench.taint)).toBeUndefined();
    }
    // what was read then counts for nothing once they are asked for
    bench.policy = { writes: 'ask', forMs: 60_000 };
    expect(await asked(bench.taint)).toBeUndefined();
    await bench.taint.mark(callOf('web', 'read'));
    expect(await asked(bench.taint)).toBeDefined();
    bench.policy = { writes: 'allow', forMs: 60_000 };
    expect(await asked(bench.taint)).toBeUndefined();
  });

  it('ends', async () => {
    const bench = await start();
    bench.policy = { writes: 'ask', forMs: 1 };
    await bench.taint.mark(callOf('web', 'read'));
    bench.later = 1000;
    await expect.poll(() => asked(bench.taint)).toBeUndefined();
  });
}
