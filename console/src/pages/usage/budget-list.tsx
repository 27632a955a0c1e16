import type { BudgetAmounts, BudgetUse } from '../../../../gateway/src/operations/index.ts';
import { Badge } from '../../components/badge.tsx';
import { type People, usePeople } from '../../components/people/use-people.ts';
import { bytes, counted } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { Time } from '../../components/time/time.tsx';
import { useBudgets } from './queries.ts';
import styles from './usage.module.css';

const AMOUNTS: ReadonlyArray<readonly [keyof BudgetAmounts, (value: number) => string]> = [
  ['calls', (value) => counted(value, 'call')],
  ['usd', (value) => money.format(value)],
  ['bytes', bytes],
];
const money = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 4,
});

/** What is used of every budget that has begun. */
export function BudgetList() {
  const people = usePeople();
  const budgets = useBudgets();
  const { data } = budgets;
  if (data === undefined)
    return <QueryState query={budgets} what="the budgets" rows={2} title="The budgets could not be read" />;
  if (data.length === 0) {
    return (
      <EmptyState title="No budget has begun">
        <p>
          A budget of <code>policy.budgets</code> or of an operation appears here with the first call that it
          counts.
        </p>
      </EmptyState>
    );
  }
  return (
    <ul className={styles['budgets']}>
      {data.map((use) => (
        <li key={`${use.budget} ${whoseOf(use, people)}`}>
          <Budget use={use} />
        </li>
      ))}
    </ul>
  );
}

function Budget({ use }: { readonly use: BudgetUse }) {
  const { budget, used, limit, frees } = use;
  const people = usePeople();
  return (
    <>
      <p className={styles['budget']}>
        <strong>{budget}</strong>
        <span className={styles['whose']}>{whoseOf(use, people)}</span>
        <span className={styles['whose']}>
          {frees === undefined ? (
            'anew with the next run'
          ) : (
            <>
              anew <Time at={frees} />
            </>
          )}
        </span>
      </p>
      {AMOUNTS.map(([name, words]) => {
        const most = limit[name];
        if (most === undefined) return null;
        const share = most === 0 ? 1 : Math.min(1, used[name] / most);
        const text = `${words(used[name])} of ${words(most)}`;
        return (
          <div key={name} className={styles['amount']}>
            <meter min={0} max={1} high={0.9} value={share} aria-label={`${budget}: ${text}`} />
            <span>{text}</span>
            {share >= 1 ? (
              <Badge tone="bad">used up</Badge>
            ) : share >= 0.9 ? (
              <Badge tone="warn">nearly</Badge>
            ) : null}
          </div>
        );
      })}
    </>
  );
}

function whoseOf({ per, principal, organisation, run }: BudgetUse, people: People): string {
  const parts = [
    principal === undefined ? undefined : `caller ${people.nameOf(principal)}`,
    run === undefined ? undefined : `run ${run}`,
    organisation === undefined ? undefined : `organisation ${people.organisationOf(organisation)}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? `per ${per}` : parts.join(', ');
}
