import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { BudgetCounters, Charge } from '../../src/router/budget-counters.ts';
import { storeCounters } from '../../src/router/budgets-store.ts';
import type { StoreBench } from '../store/support/stores.ts';

/** Long enough that none ends while a test runs: 1000 days. */
const WINDOW = 86_400_000_000;

export function charge(more: Partial<Charge> = {}): Charge {
  return {
    budget: 'rule:daily',
    subject: 'principal:ann',
    principal: 'ann',
    organisation: 'acme',
    windowMs: WINDOW,
    terms: { per: 'principal', calls: 3 },
    nanodollars: 0,
    ...more,
  };
}

/** What counters promise, wherever they are. */
export function budgetCases(open: () => Promise<BudgetCounters>): void {
  it('takes all charges of a call or none', async () => {
    const counters = await open();
    const full = charge({ budget: 'rule:full', terms: { per: 'principal', calls: 0 } });
    expect(await counters.reserve([charge(), full])).toMatchObject({ refused: full, used: { calls: 0 } });
    expect(await counters.list({})).toEqual([]);
  });

  it('says what it would refuse, and takes nothing for it', async () => {
    const counters = await open();
    const once = charge({ terms: { per: 'principal', calls: 1 } });
    const other = charge({ budget: 'rule:other' });
    expect(await counters.refusal([other, once])).toBeUndefined();
    expect(await counters.list({})).toEqual([]);
    await counters.reserve([once]);
    expect(await counters.refusal([other, once])).toMatchObject({ refused: once, used: { calls: 1 } });
    expect(await counters.list({})).toHaveLength(1);
  });

  it('counts dollars to the billionth, and bytes once they are known', async () => {
    const counters = await open();
    const tenth = charge({ terms: { per: 'principal', usd: 0.3 }, nanodollars: 100_000_000 });
    for (let call = 0; call < 3; call++)
      expect(await counters.reserve([tenth])).toMatchObject({ taken: [{}] });
    expect(await counters.reserve([tenth])).toMatchObject({ used: { nanodollars: 300_000_000 } });
    expect(await counters.list({})).toMatchObject([{ used: { calls: 3, usd: 0.3, bytes: 0 } }]);

    const bytes = charge({ budget: 'rule:bytes', terms: { per: 'principal', bytes: 1000 } });
    const first = await counters.reserve([bytes]);
    if ('refused' in first) throw new Error('refused');
    await counters.addBytes(first.taken, 999);
    expect(await counters.reserve([bytes])).toMatchObject({ taken: [{}] });
    await counters.addBytes(first.taken, 1);
    expect(await counters.reserve([bytes])).toMatchObject({ refused: bytes, used: { bytes: 1000 } });
  });

  it('a run has one counter as long as it lasts, whenever it is used', async () => {
    const counters = await open();
    const run = charge({
      windowMs: undefined,
      subject: 'run:ann:r1',
      run: 'r1',
      terms: { per: 'run', calls: 1 },
    });
    await counters.reserve([run]);
    const refused = await counters.reserve([run]);
    expect(refused).toMatchObject({ refused: run, used: { calls: 1 } });
    expect(refused).not.toHaveProperty('freesInMs');
    const [listed] = await counters.list({});
    expect(listed).toMatchObject({ per: 'run', run: 'r1', limit: { calls: 1 } });
    expect(listed).not.toHaveProperty('frees');
  });

  it('shows each principal the own counters and those of the organisation', async () => {
    const counters = await open();
    await counters.reserve([charge()]);
    await counters.reserve([charge({ subject: 'principal:bob', principal: 'bob' })]);
    const { principal: _nobody, ...whole } = charge({ budget: 'rule:org', subject: 'organisation:acme' });
    await counters.reserve([whole]);
    await counters.reserve([charge({ subject: 'principal:eve', principal: 'eve', organisation: 'other' })]);
    const names = async (scope: object) =>
      (await counters.list(scope)).map(({ budget, principal }) => `${budget} ${principal ?? '-'}`).sort();
    expect(await names({})).toEqual(['daily ann', 'daily bob', 'daily eve', 'org -']);
    expect(await names({ organisation: 'acme' })).toEqual(['daily ann', 'daily bob', 'org -']);
    expect(await names({ organisation: 'acme', principal: 'bob' })).toEqual(['daily bob', 'org -']);
    expect(await counters.list({ principal: 'eve' })).toContainEqual(
      expect.objectContaining({ principal: 'eve', organisation: 'other' }),
    );
    expect(await names({ budgets: (key: string) => key === 'rule:org' })).toEqual(['org -']);
  });
}

/** What they promise on every store besides, with two processes on one. */
export function sharedBudgetCases({ open }: StoreBench): void {
  budgetCases(async () => storeCounters(await open()));

  it('never goes beyond the limit, however many ask at once from two processes', async () => {
    const [one, two] = [storeCounters(await open()), storeCounters(await open())];
    const both = charge({ budget: 'operation:desk/add', terms: { per: 'principal', calls: 40 } });
    const small = charge({ terms: { per: 'principal', calls: 25 } });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? one : two).reserve([both, small])),
    );
    expect(answers.filter((answer) => 'taken' in answer)).toHaveLength(25);
    const used = await two.list({});
    expect(used.map(({ budget, used: { calls } }) => [budget, calls])).toEqual([
      ['desk/add', 25],
      ['daily', 25],
    ]);
  });

  it('says when the window ends, and begins anew in the next one', async () => {
    const store = await open();
    const counters = storeCounters(store);
    const once = charge({ terms: { per: 'principal', calls: 1 } });
    await counters.reserve([once]);
    const refused = await counters.reserve([once]);
    const freesInMs = 'refused' in refused ? refused.freesInMs! : 0;
    expect(freesInMs).toBeGreaterThan(0);
    expect(freesInMs).toBeLessThanOrEqual(WINDOW);
    await store.database
      .updateTable('budget_counters')
      .set({ window_start: sql`window_start - ${WINDOW}`, ends_at: sql`ends_at - ${WINDOW}` })
      .execute();
    expect(await counters.reserve([once])).toMatchObject({ taken: [{}] });
    // the one that ended is tidied away by whoever begins the next
    await expect
      .poll(() => store.database.selectFrom('budget_counters').select('calls').execute())
      .toHaveLength(1);
  });

  it('gives back what was not used, and never more', async () => {
    const counters = storeCounters(await open());
    const once = charge({ terms: { per: 'principal', calls: 1, usd: 1 }, nanodollars: 1_000_000_000 });
    const reserved = await counters.reserve([once]);
    if ('refused' in reserved) throw new Error('refused');
    await counters.giveBack(reserved.taken);
    await counters.giveBack(reserved.taken);
    expect(await counters.list({})).toMatchObject([{ used: { calls: 0, usd: 0, bytes: 0 } }]);
    expect(await counters.reserve([once])).toMatchObject({ taken: [{}] });
  });

  it('shows the counter of a user who was moved where the user is now', async () => {
    const counters = storeCounters(await open());
    await counters.reserve([charge()]);
    expect(await counters.reserve([charge({ organisation: 'other' })])).toMatchObject({ taken: [{}] });
    expect(await counters.list({ organisation: 'acme' })).toEqual([]);
    expect(await counters.list({ organisation: 'other', principal: 'ann' })).toMatchObject([
      { organisation: 'other', used: { calls: 2 } },
    ]);
  });

  it('lets nobody through when the store cannot be asked', async () => {
    const store = await open();
    const counters = storeCounters(store);
    await store.close();
    await expect(counters.reserve([charge()])).rejects.toThrow();
    await expect(counters.reserve([charge(), charge({ budget: 'rule:b' })])).rejects.toThrow();
  });
}
