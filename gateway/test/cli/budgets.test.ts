import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { storeCounters } from '../../src/router/budgets-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { charge } from '../router/budget-cases.ts';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();

beforeAll(async () => {
  await writeFile(
    crib.path('toolcrib.yaml'),
    'store: sqlite:./crib.db\npolicy: { budgets: [{ name: daily, calls: 3 }, { name: costs, usd: 5 }] }\n',
  );
});

describe('toolcrib budgets', () => {
  it('shows what nobody has used, before there is a store', async () => {
    const { exit, out, err } = await crib.run(['budgets']);
    expect(exit).toBe(0);
    expect(out).toBe('');
    expect(err).toContain('Not used yet: daily (3 calls)');
    expect(err).toContain('Not used yet: costs (5 USD)');
  });

  it('shows who has used how much, and when it frees', async () => {
    const store = await openStore(`sqlite:${crib.path('crib.db')}`);
    const counters = storeCounters(store);
    await counters.reserve([charge()]);
    await counters.reserve([charge({ subject: 'principal:bob', principal: 'bob' })]);
    const run = { subject: 'run:bob:r1', principal: 'bob', run: 'r1', windowMs: undefined };
    await counters.reserve([
      charge({ ...run, budget: 'operation:desk/add', terms: { per: 'run', calls: 9 } }),
    ]);
    await store.close();

    const { out, err } = await crib.run(['budgets']);
    expect(out).toMatch(/^BUDGET +WHO +USED +FREES$/m);
    expect(out).toMatch(/^daily +ann +1 of 3 calls +\d{4}-\d\d-\d\dT/m);
    expect(out).toMatch(/^desk\/add +bob, run r1 +1 of 9 calls +with its run$/m);
    expect(err).toBe('Not used yet: costs (5 USD)\n');

    const { budgets } = JSON.parse((await crib.run(['budgets', '--principal', 'bob', '--json'])).out);
    expect(budgets.map(({ budget, principal }: Record<string, string>) => [budget, principal])).toEqual([
      ['desk/add', 'bob'],
      ['daily', 'bob'],
    ]);
  });

  it('sends to the running gateway where there is no store', async () => {
    await writeFile(crib.path('none.yaml'), 'store: none\n');
    const { exit, err } = await crib.run(['budgets', '--config', 'none.yaml']);
    expect(exit).toBe(78);
    expect(err).toContain('GET /api/v1/budgets');
  });
});
