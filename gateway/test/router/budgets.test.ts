import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BudgetRule, Call, Operation } from '../../src/operations/index.ts';
import { LOCAL_PRINCIPAL } from '../../src/operations/index.ts';
import { RUN_KEPT_MS } from '../../src/router/budget-counters.ts';
import { budgetsOf, createBudgets } from '../../src/router/budgets.ts';
import { memoryCounters } from '../../src/router/budgets-memory.ts';
import { openStore } from '../../src/store/open-store.ts';
import { onEveryStore } from '../store/support/stores.ts';
import { budgetCases, charge, sharedBudgetCases } from './budget-cases.ts';

const HOUR = 3_600_000;
const ann = { ...LOCAL_PRINCIPAL, id: 'ann', kind: 'user', organisation: 'acme' } as const;

const operation: Operation = {
  id: 'add',
  source: 'desk',
  description: 'd',
  input: { type: 'object' },
  access: 'write',
  tags: ['sums'],
  safety: { network: false, file: false, destructive: false, idempotent: false, openWorld: false },
  cost: { usd: 0.25 },
  invocation: { kind: 'function', function: 'add' },
};

function callOf(more: Partial<Call> = {}): Call {
  return {
    id: 'c',
    principal: ann,
    tool: 'desk_add',
    operation,
    arguments: {},
    deadline: Date.now() + 10_000,
    signal: new AbortController().signal,
    channel: {},
    dryRun: false,
    depth: 0,
    ...more,
  };
}

const rule = (more: Partial<BudgetRule>): BudgetRule => ({
  name: 'rule',
  per: 'principal',
  windowMs: HOUR,
  calls: 1,
  ...more,
});

describe('what a call is charged for', () => {
  const charged = (rules: BudgetRule[], call = callOf()) =>
    budgetsOf(() => rules, memoryCounters())
      .charges(call)
      .map(({ budget, subject, windowMs }) => [budget, subject, windowMs]);

  it('is nothing where no budget covers it', () => {
    expect(charged([])).toEqual([]);
  });

  it.each<[string, Partial<BudgetRule>, boolean]>([
    ['every call', {}, true],
    ['its tool', { tool: 'desk_add' }, true],
    ['another tool', { tool: 'desk_sub' }, false],
    ['its source and access', { source: 'desk', access: 'write' }, true],
    ['its source with another access', { source: 'desk', access: 'read' }, false],
    ['its operation', { operation: 'add' }, true],
    ['its tag', { tag: 'sums' }, true],
    ['another tag', { tag: 'texts' }, false],
  ])('a rule for %s', (_, part, covered) => {
    expect(charged([rule(part)])).toHaveLength(covered ? 1 : 0);
  });

  it('a rule for its tool, by whichever other tool it is called', () => {
    const rules = [rule({ tool: 'desk_add' }), rule({ name: 'other', tool: 'desk_sub' })];
    const budgets = budgetsOf(
      () => rules,
      memoryCounters(),
      ({ id }) => `desk_${id}`,
    );
    expect(budgets.charges(callOf({ tool: 'call_tool' }))).toMatchObject([{ budget: 'rule:rule' }]);
  });

  it("the operation's own budget and every rule that covers it", () => {
    const own = callOf({ operation: { ...operation, budget: { calls: 5 } } });
    expect(charged([rule({ name: 'a' }), rule({ name: 'b' })], own)).toEqual([
      ['operation:desk/add', 'principal:ann', 86_400_000],
      ['rule:a', 'principal:ann', HOUR],
      ['rule:b', 'principal:ann', HOUR],
    ]);
  });

  it.each<[string, BudgetRule['per'], Partial<Call>, string, number | undefined]>([
    ['an organisation', 'organisation', {}, 'organisation:acme', HOUR],
    [
      'nobody’s organisation: the principal',
      'organisation',
      { principal: LOCAL_PRINCIPAL },
      'principal:local',
      HOUR,
    ],
    ['a run of this principal', 'run', { run: 'r1' }, 'run:ann:r1', undefined],
    ['no run: the principal, for a window', 'run', {}, 'principal:ann', HOUR],
    ['a principal, whatever the run', 'principal', { run: 'r1' }, 'principal:ann', HOUR],
  ])('counts by %s', (_, per, more, subject, windowMs) => {
    expect(charged([rule({ per })], callOf(more))).toEqual([['rule:rule', subject, windowMs]]);
  });
});

it('a charge says whose it is, up to which limits and for how much', () => {
  const chargesOf = (rules: BudgetRule[], call: Call) =>
    budgetsOf(() => rules, memoryCounters()).charges(call);
  const own = callOf({ operation: { ...operation, budget: { calls: 5, usd: 2, bytes: 9 } }, run: 'r1' });
  const cost = 250_000_000;
  expect(chargesOf([], own)).toMatchObject([
    {
      budget: 'operation:desk/add',
      terms: { per: 'principal', calls: 5, usd: 2, bytes: 9 },
      nanodollars: cost,
      organisation: 'acme',
      principal: 'ann',
    },
  ]);
  const { cost: _, ...free } = operation;
  expect(chargesOf([rule({ per: 'run' })], callOf({ operation: free, run: 'r1' }))).toMatchObject([
    { organisation: 'acme', principal: 'ann', run: 'r1', nanodollars: 0 },
  ]);
  const [shared] = chargesOf([rule({ per: 'organisation' })], callOf());
  expect(shared).toMatchObject({ organisation: 'acme', nanodollars: cost });
  expect(shared).not.toHaveProperty('principal');
});

it('of what is used, nobody is shown what is of others, whichever sources may be seen', async () => {
  const budgets = budgetsOf(() => [rule({})], memoryCounters());
  for (const id of ['ann', 'bob'])
    await budgets.reserve(budgets.charges(callOf({ principal: { ...ann, id } })));
  const shown = await budgets.list({ principal: 'ann', organisation: 'acme', covers: () => true });
  expect(shown).toMatchObject([{ principal: 'ann' }]);
});

it('what is used is shown of the sources that may be seen', async () => {
  const rules = [rule({ name: 'desks', source: 'desk' }), rule({ name: 'all' })];
  const budgets = budgetsOf(() => rules, memoryCounters());
  await budgets.reserve(budgets.charges(callOf({ operation: { ...operation, budget: { calls: 5 } } })));
  const shown = async (covers?: (source: string | undefined) => boolean) =>
    (await budgets.list(covers === undefined ? {} : { covers })).map(({ budget }) => budget).sort();
  expect(await shown()).toEqual(['all', 'desk/add', 'desks']);
  expect(await shown((source) => source === 'desk')).toEqual(['desk/add', 'desks']);
  expect(await shown((source) => source === undefined)).toEqual(['all']);
  // nobody knows any more whose calls it counted
  rules.shift();
  expect(await shown((source) => source === 'desk')).toEqual(['desk/add']);
});

describe('a budget that is used up', () => {
  const spent = async (more: Partial<BudgetRule>, call = callOf()) => {
    const budgets = budgetsOf(
      () => [rule(more)],
      memoryCounters(() => Date.UTC(2026, 10, 21, 12, 45)),
    );
    const charges = budgets.charges(call);
    for (let calls = 0; calls < 10; calls++) {
      try {
        const taken = await budgets.reserve(charges);
        if (more.bytes !== undefined) await budgets.addBytes(taken, 700);
      } catch (error) {
        return error as { message: string; details: object };
      }
    }
    throw new Error('never refused');
  };

  it('names the budget, what is used, the limit and when it frees', async () => {
    expect(await spent({ calls: 2 })).toMatchObject({
      code: 'budget_exceeded',
      message: expect.stringMatching(/^Budget rule \(per principal\) is used up: 2 of 2 calls; it frees at /),
      details: {
        budget: 'rule',
        per: 'principal',
        unit: 'calls',
        used: 2,
        limit: 2,
        retryAfterMs: 15 * 60_000,
      },
    });
  });

  it.each<[string, Partial<BudgetRule>, object]>([
    ['dollars', { calls: 9, usd: 0.6 }, { unit: 'usd', used: 0.5, limit: 0.6 }],
    ['bytes', { calls: 9, bytes: 1000 }, { unit: 'bytes', used: 1400, limit: 1000 }],
  ])('is told in %s', async (_, more, details) => {
    expect(await spent(more)).toMatchObject({ details });
  });

  it.each<[string, Partial<BudgetRule>]>([
    ['dearer than the whole budget', { usd: 0.1 }],
    ['not allowed at all', { calls: 0 }],
  ])('promises nothing to a call that is %s', async (_, more) => {
    const { message, details } = await spent(more);
    expect(message).toContain('this call never fits');
    expect(details).not.toHaveProperty('retryAfterMs');
  });

  it('of a run frees with the next run only', async () => {
    const { message, details } = await spent({ per: 'run' }, callOf({ run: 'r' }));
    expect(message).toContain('it lasts as long as the run');
    expect(details).not.toHaveProperty('retryAfterMs');
  });
});

describe('counters in memory', () => {
  budgetCases(async () => memoryCounters());

  it('begin anew at the next multiple of their window', async () => {
    let now = 10 * HOUR + 5;
    const counters = memoryCounters(() => now);
    const once = charge({ windowMs: HOUR, terms: { per: 'principal', calls: 1 } });
    expect(await counters.reserve([once])).toMatchObject({ taken: [{ window: 10 * HOUR }] });
    now = 11 * HOUR - 1;
    expect(await counters.reserve([once])).toMatchObject({ used: { calls: 1 }, freesInMs: 1 });
    now = 11 * HOUR;
    expect(await counters.reserve([once])).toMatchObject({ taken: [{ window: 11 * HOUR }] });
    expect(await counters.list({})).toMatchObject([{ used: { calls: 1 }, frees: 12 * HOUR }]);
  });

  it('forget what ended, and nothing else', async () => {
    let now = 10 * HOUR;
    const counters = memoryCounters(() => now, 0);
    const once = (name: string, windowMs: number | undefined) =>
      charge({ budget: `rule:${name}`, windowMs, terms: { per: 'principal', calls: 1 } });
    const [day, run, hour] = [once('day', 24 * HOUR), once('run', undefined), once('hour', HOUR)];
    for (const each of [day, run, hour]) await counters.reserve([each]);
    now = 11 * HOUR;
    for (const each of [day, run]) expect(await counters.reserve([each])).toMatchObject({ refused: each });
    expect(await counters.reserve([hour])).toMatchObject({ taken: [{}] });
    expect(await counters.list({})).toHaveLength(3);
    // a run that is silent for long enough is forgotten, too
    now = 10 * HOUR + RUN_KEPT_MS - 1;
    expect(await counters.reserve([run])).toMatchObject({ refused: run });
    now++;
    expect(await counters.reserve([run])).toMatchObject({ taken: [{}] });
  });

  it('take all or none, and give back', async () => {
    const counters = memoryCounters();
    const none = charge({ budget: 'rule:none', terms: { per: 'principal', calls: 0 } });
    expect(await counters.reserve([charge(), none])).toMatchObject({ refused: none });
    const reserved = await counters.reserve([charge({ nanodollars: 5 })]);
    if ('refused' in reserved) throw new Error('refused');
    await counters.giveBack(reserved.taken);
    expect(await counters.list({ principal: 'ann' })).toMatchObject([{ used: { calls: 0, usd: 0 } }]);
    expect(await counters.list({ principal: 'bob' })).toEqual([]);
  });
});

describe('counters in a store', () =>
  onEveryStore((bench) => {
    sharedBudgetCases(bench);

    it('are those of every process that has it', async () => {
      const [one, two] = [await bench.open(), await bench.open()].map((store) =>
        createBudgets(() => [rule({})], store),
      );
      await one!.reserve(one!.charges(callOf()));
      await expect(two!.reserve(two!.charges(callOf()))).rejects.toMatchObject({ code: 'budget_exceeded' });
    });
  }));

describe('counters of several processes', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolcrib-budgets-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('come to exactly the limit on one SQLite file', async () => {
    const address = `sqlite:${join(folder, 'toolcrib.db')}`;
    const store = await openStore(address);
    const script = `
      import { openStore } from ${JSON.stringify(new URL('../../src/store/open-store.ts', import.meta.url))};
      import { storeCounters } from ${JSON.stringify(new URL('../../src/router/budgets-store.ts', import.meta.url))};
      const store = await openStore(${JSON.stringify(address)});
      const counters = storeCounters(store);
      let taken = 0;
      const one = ${JSON.stringify(charge({ windowMs: 86_400_000 * 1000, terms: { per: 'principal', calls: 50 } }))};
      await Promise.all(Array.from({ length: 40 }, async () => {
        if ('taken' in (await counters.reserve([one]))) taken++;
      }));
      await store.close();
      console.log(taken);`;
    const spend = async () => {
      const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return Number(await text(child.stdout));
    };
    try {
      const [one, two] = await Promise.all([spend(), spend()]);
      expect(one + two).toBe(50);
      expect(await store.database.selectFrom('budget_counters').select('calls').execute()).toEqual([
        { calls: 50 },
      ]);
    } finally {
      await store.close();
    }
  });
});
