import { useState } from 'react';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Stack } from '../../components/layout/stack.tsx';
import { PersonChoice } from '../../components/people/person-choice.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { count } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { BudgetPanel } from './budget-panel.tsx';
import { DearestTools } from './dearest-tools.tsx';
import { type TokenCosts, useTokenCosts } from './queries.ts';
import styles from './tokens.module.css';
import { TopologyTable } from './topology-table.tsx';

/** What the tools cost a model before it says a word, and what would cost less. */
export default function TokensPage() {
  const [budget, setBudget] = useState<number>();
  const [topology, setTopology] = useState<string>();
  const [as, setAs] = useState('');
  const people = usePeople();
  const costs = useTokenCosts({ budget, topology, as });
  const { data } = costs;
  return (
    <>
      <PageHeader title="Tokens">
        What the list of tools costs a model in every conversation, measured with o200k over
        {as === '' ? ' your own view.' : ` what ${people.nameOf(as)} sees.`}
      </PageHeader>
      <div className={styles['person']}>
        <PersonChoice people={people} chosen={as} onChoose={setAs} />
      </div>
      <QueryState query={costs} what="measured costs" rows={6} title="The costs could not be measured" />
      {data === undefined ? null : data.topologies.every(({ tools }) => tools === 0) ? (
        <EmptyState title="There are no tools to measure">
          <p>Add a source, or connect an account, and its tools are counted here.</p>
        </EmptyState>
      ) : (
        <Stack>
          <div className={styles['first']}>
            <div>
              <ListedNow costs={data} />
            </div>
            <div>
              <BudgetPanel
                costs={data}
                budget={budget}
                onBudget={(next) => {
                  setBudget(next);
                  setTopology(undefined);
                }}
              />
            </div>
          </div>
          <TopologyTable costs={data} />
          <DearestTools costs={data} onTopology={setTopology} />
        </Stack>
      )}
    </>
  );
}

function ListedNow({ costs: { listed, configured } }: { readonly costs: TokenCosts }) {
  const taken = [...new Set(listed.topologies)];
  const took = `${taken.join(' and ')}${taken.length > 1 ? ', by source' : ''}`;
  return (
    <Panel title="Listed now">
      <Facts
        of={[
          ['Tokens', <strong key="tokens">{count(listed.tokens)}</strong>],
          ['Tools', count(listed.tools)],
          [
            'Topology',
            configured.topology === took ? took : `${configured.topology}, which takes ${took || 'none'}`,
          ],
          ['Budget', `${count(configured.budget)} tokens`],
          [
            'Output schemas',
            listed.outputSchemas === 0
              ? undefined
              : `${count(listed.outputSchemas)} tokens more, where a client passes them on`,
          ],
        ]}
      />
    </Panel>
  );
}
