import { existsSync } from 'node:fs';
import type { BudgetAmounts, BudgetRule, BudgetUse } from '../../operations/index.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
import { storeOf } from '../store-of.ts';
import { showTable } from '../terminal/table.ts';
import { json, type Terminal } from '../terminal/terminal.ts';

export interface BudgetsOptions extends Pick<SourceOptions, 'config' | 'stateDir' | 'json'> {
  /** Id of a caller; absent: everybody's counters. */
  readonly principal?: string;
}

/** Every counter of the store that has not ended, and the budgets of the configuration that nobody has used yet. */
export async function budgets(options: BudgetsOptions, terminal: Terminal): Promise<number> {
  const { configuration } = await resolveConfiguration([], options, terminal, { listening: false });
  const address = storeOf(
    configuration,
    'The configuration says store: none: counters are kept by the running gateway alone.',
    'Ask that gateway: GET /api/v1/budgets.',
  );
  const uses = await usesIn(address, options.principal);
  const unused = (configuration.policy.budgets ?? []).filter(
    ({ name }) => !uses.some(({ budget }) => budget === name),
  );
  if (options.json) {
    terminal.out(json({ budgets: uses, unused }));
    return 0;
  }
  showTable(
    uses,
    [
      ['BUDGET', ({ budget }) => budget],
      ['WHO', whoOf],
      ['USED', ({ used, limit }) => amounts(limit, used)],
      ['FREES', ({ frees }) => (frees === undefined ? 'with its run' : new Date(frees).toISOString())],
    ],
    terminal,
  );
  for (const rule of unused) terminal.note(`Not used yet: ${rule.name} (${amounts(rule)})`);
  return 0;
}

async function usesIn(address: string, principal: string | undefined): Promise<readonly BudgetUse[]> {
  const [{ openStore, sqliteFile }, { storeCounters }] = await Promise.all([
    import('../../store/open-store.ts'),
    import('../../router/budgets-store.ts'),
  ]);
  const file = sqliteFile(address);
  if (file !== undefined && !existsSync(file)) return [];
  const store = await openStore(address, { migrate: false });
  try {
    return await storeCounters(store).list(principal === undefined ? {} : { principal });
  } finally {
    await store.close();
  }
}

function whoOf({ principal, organisation, run }: BudgetUse): string {
  const who = principal ?? `organisation ${organisation}`;
  return run === undefined ? who : `${who}, run ${run}`;
}

/** `12 of 100 calls, 0.5 of 2 USD`. */
function amounts(limit: Partial<BudgetRule | BudgetAmounts>, used?: BudgetAmounts): string {
  const units = [
    ['calls', 'calls'],
    ['usd', 'USD'],
    ['bytes', 'bytes'],
  ] as const;
  return units
    .filter(([unit]) => limit[unit] !== undefined)
    .map(([unit, word]) => `${used === undefined ? '' : `${used[unit]} of `}${limit[unit]} ${word}`)
    .join(', ');
}
