import { useState } from 'react';
import { Link } from 'wouter';
import type { StandingApproval } from '../../../../gateway/src/operations/index.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { Time } from '../../components/time.tsx';
import styles from './approvals.module.css';
import { useRevokeStanding, useStandingApprovals } from './queries.ts';

/** What runs without asking since a person said so. */
export function StandingList() {
  const { data, error, isPending, refetch } = useStandingApprovals();
  const [chosen, setChosen] = useState<StandingApproval>();
  const revoke = useRevokeStanding();
  const columns: ReadonlyArray<Column<StandingApproval>> = [
    { key: 'tool', title: 'Runs without asking', cell: (one) => coverOf(one) },
    { key: 'caller', title: 'Caller', cell: ({ principal }) => principal },
    {
      key: 'by',
      title: 'Given by',
      cell: ({ createdBy, channel }) => `${createdBy} (${channel})`,
      wide: true,
    },
    {
      key: 'at',
      title: 'Given',
      cell: ({ approval, createdAt }) => (
        <Link href={`/approvals/${approval}`}>
          <Time at={createdAt} />
        </Link>
      ),
      wide: true,
    },
    {
      key: 'revoke',
      title: 'Actions',
      align: 'end',
      cell: (one) => (
        <Button size="s" variant="quiet" aria-label={`Revoke ${nameOf(one)}`} onClick={() => setChosen(one)}>
          Revoke
        </Button>
      ),
    },
  ];
  if (isPending) return <Loading what="standing approvals" />;
  if (data === undefined) {
    return <ErrorNote error={error} title="They could not be read" retry={() => void refetch()} />;
  }
  const close = () => {
    setChosen(undefined);
    revoke.reset();
  };
  return (
    <>
      {data.length === 0 ? (
        <EmptyState title="Every call that needs a person asks">
          <p>“Always” on a card lets a tool run for one caller without asking; it is taken back here.</p>
        </EmptyState>
      ) : (
        <Panel flush>
          <DataTable caption="Standing approvals" columns={columns} rows={data} rowKey={({ id }) => id} />
        </Panel>
      )}
      {chosen === undefined ? null : (
        <Confirm
          title={`Revoke ${nameOf(chosen)}?`}
          action="Revoke"
          busy={revoke.isPending}
          onClose={close}
          onConfirm={() => revoke.mutate(chosen.id, { onSuccess: close })}
        >
          <p>The next call of {chosen.principal} asks again. A call that is under way is not stopped.</p>
          {revoke.isError ? <ErrorNote error={revoke.error} /> : null}
        </Confirm>
      )}
    </>
  );
}

function nameOf({ tool, skill }: StandingApproval): string {
  return skill === undefined ? tool : `the skill ${skill.skill}`;
}

function coverOf({ tool, argumentsHash, skill }: StandingApproval) {
  if (skill !== undefined) {
    return (
      <>
        Skill {skill.skill}
        <span className={styles['under']}>
          {skill.tools.length === 1 ? 'its tool' : `its ${skill.tools.length} tools`} in version{' '}
          <code>{skill.version.replace(/^sha256:/, '').slice(0, 12)}</code>
        </span>
      </>
    );
  }
  return (
    <>
      <code>{tool}</code>
      <span className={styles['under']}>
        {argumentsHash === undefined ? 'with any arguments' : 'with the same arguments only'}
      </span>
    </>
  );
}
