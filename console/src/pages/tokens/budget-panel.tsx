import { useId } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/forms/field.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { count, counted } from '../../components/quantities.ts';
import { budgetAt, mostOf, STEPS, stepOf } from './budget-scale.ts';
import type { TokenCosts } from './queries.ts';
import styles from './tokens.module.css';

interface BudgetPanelProps {
  readonly costs: TokenCosts;
  /** As it is set here; undefined: as configured. */
  readonly budget: number | undefined;
  readonly onBudget: (budget: number | undefined) => void;
}

/** What `auto` would take with more or less; nothing is changed by it. */
export function BudgetPanel({ costs, budget, onBudget }: BudgetPanelProps) {
  const id = useId();
  const { auto, configured, topologies } = costs;
  const now = budget ?? configured.budget;
  const most = mostOf(
    topologies.map(({ tokens }) => tokens),
    configured.budget,
  );
  return (
    <Panel
      title="If the budget were"
      actions={
        budget === undefined || budget === configured.budget ? null : (
          <Button size="s" variant="quiet" onClick={() => onBudget(undefined)}>
            As configured: {count(configured.budget)}
          </Button>
        )
      }
    >
      <div className={styles['budget']}>
        <input
          type="range"
          aria-label="Token budget"
          aria-valuetext={`${count(now)} tokens`}
          min={0}
          max={STEPS}
          value={stepOf(now, most)}
          className={styles['slider']}
          onChange={({ target }) => onBudget(budgetAt(Number(target.value), most))}
        />
        <Field label="Tokens">
          <input
            type="number"
            min={1}
            max={10_000_000}
            value={now}
            onChange={({ target }) => {
              const typed = Math.trunc(Number(target.value));
              if (typed >= 1 && typed <= 10_000_000) onBudget(typed);
            }}
          />
        </Field>
      </div>
      <section aria-live="polite" aria-labelledby={id} className={styles['choice']}>
        <h3 id={id} className={styles['verdict']}>
          {verdict(costs)}
        </h3>
        {auto === undefined ? null : (
          <ol className={styles['considered']}>
            {auto.considered.map(({ name, tools, tokens, fits }) => (
              <li key={name}>
                <Badge tone={fits ? 'good' : 'neutral'}>{fits ? 'fits' : 'too large'}</Badge>
                <span>
                  <strong>{name}</strong>: {counted(tools, 'tool')}, {counted(tokens, 'token')}
                </span>
              </li>
            ))}
          </ol>
        )}
      </section>
      <p className={styles['words']}>
        <code>auto</code> looks from the richest list to the smallest and takes the first that fits: the more
        is listed, the fewer steps a model needs to call something. To keep a budget, set{' '}
        <code>tokenBudget</code> in the configuration.
      </p>
    </Panel>
  );
}

function verdict({ auto, budget }: TokenCosts): string {
  if (auto === undefined) return 'There is nothing to list.';
  const { took, tools, tokens, fits } = auto;
  const size = `${counted(tools, 'tool')}, ${counted(tokens, 'token')}`;
  return fits
    ? `With ${count(budget)} tokens auto takes ${took}: ${size}.`
    : `Nothing fits ${count(budget)} tokens; auto would take ${took} all the same: ${size}.`;
}
