import { lazy, Suspense, useMemo, useState } from 'react';
import { Panel } from '../../components/layout/panel.tsx';
import { count, duration } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { ChoiceButton } from './choice-button.tsx';
import { everyDay } from './days.ts';
import type { Measure } from './measure.ts';
import { type UsageFilter, type UsageRow, useUsage } from './queries.ts';
import styles from './usage.module.css';
import { NUMBERS } from './usage-columns.tsx';

const DayChart = lazy(() =>
  import('./day-chart.tsx').catch((error: unknown) => {
    // uPlot takes `navigator.language` for a language tag, which it is not everywhere: WebKit says `C` for that locale
    if (error instanceof RangeError) return { default: NoChart };
    throw error;
  }),
);

/** Calls, errors and time a day: the sums, a chart, and the same numbers as a table. */
export function DayUsage({ filter }: { readonly filter: UsageFilter }) {
  const usage = useUsage(filter, 'day');
  const { data } = usage;
  const [measure, setMeasure] = useState<Measure>('calls');
  const [pointed, setPointed] = useState<UsageRow>();
  const days = useMemo(() => everyDay(data ?? [], filter.from, filter.to), [data, filter.from, filter.to]);
  if (data === undefined)
    return <QueryState query={usage} what="the usage" rows={6} title="The usage could not be read" />;
  const sum = totalOf(data);
  if (sum.calls === 0) {
    return (
      <EmptyState title="No calls in these days">
        <p>
          Every call through the gateway is counted here from its end on. Choose other days, or make a call.
        </p>
      </EmptyState>
    );
  }
  const words = `${count(sum.calls)} calls from ${filter.from} to ${filter.to}, ${count(sum.errors)} of them failed; ${duration(sum.meanMs)} on average`;
  return (
    <>
      <Sums sum={sum} />
      <Panel
        title={measure === 'calls' ? 'Calls a day' : 'Mean time a day'}
        actions={
          <>
            <ChoiceButton size="s" chosen={measure === 'calls'} onClick={() => setMeasure('calls')}>
              Calls
            </ChoiceButton>
            <ChoiceButton size="s" chosen={measure === 'time'} onClick={() => setMeasure('time')}>
              Time
            </ChoiceButton>
          </>
        }
      >
        <p className={styles['legend']} aria-hidden="true">
          {measure === 'calls' ? (
            <>
              <span className={styles['calls']}>All calls</span>
              <span className={styles['errors']}>Failed</span>
            </>
          ) : (
            <span className={styles['calls']}>Mean time of a call</span>
          )}
          <span className={styles['pointed']}>{pointed === undefined ? '' : pointedText(pointed)}</span>
        </p>
        <Suspense
          fallback={
            <div className={styles['chart']}>
              <Loading what="the chart" />
            </div>
          }
        >
          <DayChart days={days} measure={measure} label={words} onPoint={setPointed} />
        </Suspense>
        <details className={styles['numbers']}>
          <summary>The same as numbers</summary>
          <DataTable
            caption="Usage by day"
            columns={[{ key: 'day', title: 'Day', cell: ({ key }) => key }, ...NUMBERS]}
            rows={[...data].reverse()}
            rowKey={({ key }) => String(key)}
          />
        </details>
      </Panel>
    </>
  );
}

function NoChart() {
  return <p className={styles['noChart']}>This browser cannot draw the chart. Its numbers are below.</p>;
}

function Sums({ sum }: { readonly sum: UsageRow }) {
  const failed = sum.errors / sum.calls;
  return (
    <dl className={styles['sums']}>
      <div>
        <dt>Calls</dt>
        <dd>{count(sum.calls)}</dd>
      </div>
      <div>
        <dt>Failed</dt>
        <dd>
          {count(sum.errors)} <span className={styles['share']}>{percent.format(failed)}</span>
        </dd>
      </div>
      <div>
        <dt>Mean time</dt>
        <dd>{duration(sum.meanMs)}</dd>
      </div>
      <div>
        <dt>Longest</dt>
        <dd>{duration(sum.maxMs)}</dd>
      </div>
    </dl>
  );
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

function totalOf(rows: readonly UsageRow[]): UsageRow {
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  const durationMs = rows.reduce((sum, row) => sum + row.durationMs, 0);
  return {
    key: null,
    calls,
    errors: rows.reduce((sum, row) => sum + row.errors, 0),
    durationMs,
    meanMs: calls === 0 ? 0 : durationMs / calls,
    maxMs: Math.max(0, ...rows.map(({ maxMs }) => maxMs)),
  };
}

function pointedText({ key, calls, errors, meanMs }: UsageRow): string {
  return `${key}: ${count(calls)} calls, ${count(errors)} failed, ${duration(meanMs)} on average`;
}
