import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { StandingApproval } from '../../../../gateway/src/operations/index.ts';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { say } from '../../components/states/said.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { Pieces } from '../../components/tables/pieces.tsx';
import { RowAction } from '../../components/tables/row-action.tsx';
import { Under } from '../../components/tables/under.tsx';
import { Time } from '../../components/time/time.tsx';
import { useRevokeStanding, useStandingApprovals } from './queries.ts';

/** What runs without asking since a person said so. */
export function StandingList() {
  const standing = useStandingApprovals();
  const [chosen, setChosen] = useState<StandingApproval>();
  const revoke = useRevokeStanding();
  const people = usePeople();
  const { data } = standing;
  const isGone = !revoke.isPending && data?.every(({ id }) => id !== chosen?.id) === true;
  const { reset } = revoke;
  // somebody else revoked it meanwhile: there is nothing left to ask
  useEffect(() => {
    if (!isGone || chosen === undefined) return;
    reset();
    setChosen(undefined);
    say(`${nameOf(chosen)} asks again`);
  }, [isGone, chosen, reset]);
  const columns: ReadonlyArray<Column<StandingApproval>> = [
    { key: 'tool', title: 'Runs without asking', cell: (one) => coverOf(one) },
    { key: 'caller', title: 'Caller', cell: ({ principal }) => people.nameOf(principal), wide: true },
    {
      key: 'by',
      title: 'Given by',
      cell: ({ createdBy, channel }) => `${people.nameOf(createdBy)} (${channel})`,
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
        <RowAction to={nameOf(one)} onClick={() => setChosen(one)}>
          Revoke
        </RowAction>
      ),
    },
  ];
  if (data === undefined)
    return <QueryState query={standing} what="standing approvals" title="They could not be read" />;
  const close = () => setChosen(undefined);
  return (
    <>
      {data.length === 0 ? (
        <EmptyState title="Every call that needs a person asks">
          <p>“Always” on a card lets a tool run for one caller without asking; it is taken back here.</p>
        </EmptyState>
      ) : (
        <Panel flush>
          <Pieces rows={data}>
            {(shown) => (
              <DataTable
                caption="Standing approvals"
                columns={columns}
                rows={shown}
                rowKey={({ id }) => id}
              />
            )}
          </Pieces>
        </Panel>
      )}
      {chosen === undefined ? null : (
        <Confirm
          title={`Revoke ${nameOf(chosen)}?`}
          action="Revoke"
          sent={revoke}
          onClose={close}
          onConfirm={() =>
            revoke.mutate(chosen.id, {
              onSuccess() {
                close();
                say(`${nameOf(chosen)} asks again`);
              },
            })
          }
        >
          <p>
            The next call of {people.nameOf(chosen.principal)} asks again. A call that is under way is not
            stopped.
          </p>
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
        <Under>
          {skill.tools.length === 1 ? 'its tool' : `its ${skill.tools.length} tools`} in version{' '}
          <code>{skill.version.replace(/^sha256:/, '').slice(0, 12)}</code>
        </Under>
      </>
    );
  }
  return (
    <>
      <code>{tool}</code>
      <Under>{argumentsHash === undefined ? 'with any arguments' : 'with the same arguments only'}</Under>
    </>
  );
}
