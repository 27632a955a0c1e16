import { CheckTable } from '../../components/check-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { useExplanation } from './queries.ts';

/** Why a tool is offered or not: every check with what is there and what it takes. */
export function Explanation({ name }: { readonly name: string }) {
  const { data, error, isPending, refetch } = useExplanation(name);
  if (isPending) return <Loading what="checks" />;
  if (error !== null)
    return <ErrorNote error={error} title="The checks could not be read" retry={() => void refetch()} />;
  if (data === null || data === undefined) {
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
