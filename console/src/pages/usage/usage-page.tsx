import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { Button } from '../../components/button.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Stack } from '../../components/layout/stack.tsx';
import { Tabs } from '../../components/layout/tabs.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { isDay } from '../../components/time/is-day.ts';
import { BudgetList } from './budget-list.tsx';
import { DayUsage } from './day-usage.tsx';
import { dayBefore } from './days.ts';
import { type Grouped, GroupUsage } from './group-usage.tsx';
import type { UsageFilter } from './queries.ts';
import { RangePicker } from './range-picker.tsx';
import styles from './usage.module.css';

const DAYS = 30;
const GROUPS: ReadonlyArray<{ readonly name: Grouped; readonly title: string }> = [
  { name: 'source', title: 'By source' },
  { name: 'user', title: 'By caller' },
  { name: 'operation', title: 'By operation' },
];

export default function UsagePage() {
  const [query, setQuery] = useSearchParams();
  const [group, setGroup] = useState<Grouped>('source');
  const filter = filterIn(query);
  const { nameOf } = usePeople();
  const change = (changes: Readonly<Record<string, string | undefined>>) =>
    setQuery((before) => {
      const next = new URLSearchParams(before);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined) next.delete(name);
        else next.set(name, value);
      }
      return next;
    });
  const chosen = GROUPS.filter(({ name }) => filter[name] !== undefined);
  return (
    <>
      <PageHeader title="Usage">Calls by day, source, caller and operation. Days are UTC.</PageHeader>
      <div className={styles['controls']}>
        <RangePicker from={filter.from} to={filter.to} onChange={change} />
        {chosen.map(({ name }) => (
          <Button key={name} size="s" onClick={() => change({ [name]: undefined })}>
            Only {name === 'user' ? `caller ${nameOf(filter.user ?? '')}` : `${name} ${filter[name]}`}{' '}
            <span aria-hidden="true">✕</span>
            <span className="visually-hidden">, show all</span>
          </Button>
        ))}
      </div>
      <Stack>
        <DayUsage filter={filter} />
        <Panel title="Who and what">
          <Tabs<Grouped> label="Usage by" tabs={GROUPS} chosen={group} onChoose={setGroup}>
            <div className={styles['flush']}>
              <GroupUsage filter={filter} group={group} onOnly={(key) => change({ [group]: key })} />
            </div>
          </Tabs>
        </Panel>
        <Panel title="Budgets">
          <BudgetList />
        </Panel>
      </Stack>
    </>
  );
}

/** From the address; what cannot be read there is the last days. */
function filterIn(query: URLSearchParams): UsageFilter {
  const [from, to] = [query.get('from'), query.get('to')];
  const known = isDay(from) && isDay(to) && from <= to;
  return {
    from: known ? from : dayBefore(DAYS - 1),
    to: known ? to : dayBefore(0),
    source: query.get('source') ?? undefined,
    user: query.get('user') ?? undefined,
    operation: query.get('operation') ?? undefined,
  };
}
