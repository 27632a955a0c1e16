import { useSearchParams } from 'wouter';
import { filled } from '../../components/filled.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { Stack } from '../../components/layout/stack.tsx';
import { PersonChoice } from '../../components/people/person-choice.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { CheckTable } from '../../components/tables/check-table.tsx';
import { useExplanation } from './queries.ts';

/** Why a tool is offered or not: every check with what is there and what it takes. */
export function Explanation({ name }: { readonly name: string }) {
  const [query, setQuery] = useSearchParams();
  const as = query.get('as') ?? '';
  const setAs = (person: string) =>
    setQuery(filled({ show: query.get('show') ?? '', as: person }), { replace: true });
  const people = usePeople();
  return (
    <Stack>
      <PersonChoice people={people} chosen={as} onChoose={setAs} />
      <Checks name={name} as={as} />
    </Stack>
  );
}

function Checks({ name, as }: { readonly name: string; readonly as: string }) {
  const explanation = useExplanation(name, as);
  const { data, isSuccess } = explanation;
  if (!isSuccess)
    return <QueryState query={explanation} what="checks" title="The checks could not be read" />;
  if (data === null) {
    return (
      <EmptyState title="It has no checks of its own">
        <p>This tool leads to several operations; each of them is checked when it is called.</p>
      </EmptyState>
    );
  }
  const failed = data.checks.filter(({ passes }) => !passes);
  const verdict = data.callable
    ? 'It is offered, and a call is let through.'
    : data.visible
      ? 'It is offered; a call waits for a connected account.'
      : `It is hidden by ${failed.map(({ check }) => check).join(', ')}.`;
  return (
    <Panel flush title={verdict}>
      <CheckTable tool={name} checks={data.checks} />
    </Panel>
  );
}
