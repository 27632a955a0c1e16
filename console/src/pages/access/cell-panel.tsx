import type { ReactNode } from 'react';
import type {
  AccessMatrix,
  MatrixCell,
  MatrixRow,
  MatrixSource,
} from '../../../../gateway/src/server/http/admin/access-administration.ts';
import { useSession } from '../../api/session.ts';
import { CONNECTION_WORDS } from '../../components/connection-words.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { Parts } from '../../components/layout/stack.tsx';
import styles from './access.module.css';
import { type Editing, LevelEditor } from './level-editor.tsx';
import { LevelSign } from './level-sign.tsx';
import { reasonWords } from './level-words.ts';
import { OperationList } from './operation-list.tsx';

interface CellPanelProps extends Editing {
  readonly organisation: string;
  readonly matrix: AccessMatrix;
  readonly source: MatrixSource;
  /** Absent: what the organisation allows. */
  readonly person: MatrixRow | undefined;
  readonly onClose: () => void;
}

/** One person and one source: what leads to the level, levels to edit, and every operation with its checks. */
export function CellPanel({ organisation, matrix, source, person, onClose, ...editing }: CellPanelProps) {
  const { data: session } = useSession();
  const cell = person?.cells.find((one) => one.source === source.name);
  const own = person !== undefined && person.id === session?.principal?.id;
  return (
    <Dialog title={`${person?.name ?? 'Organisation'}: ${source.name}`} onClose={onClose}>
      <Parts>
        {person === undefined || cell === undefined ? (
          <Facts
            of={[
              ['Organisation allows', <LevelSign key="level" level={source.allowed} />],
              ['Because', source.allowedBy === undefined ? undefined : reasonWords(source.allowedBy)],
            ]}
          />
        ) : (
          <CellFacts cell={cell} person={person} />
        )}
        {matrix.manages ? (
          <LevelEditor {...editing} title="What the organisation allows" user={null} source={source} />
        ) : null}
        {person !== undefined && (matrix.manages || own) ? (
          <LevelEditor
            {...editing}
            title={own ? 'What I choose' : `What ${person.name} chooses`}
            user={person.id}
            source={source}
          />
        ) : null}
        {person === undefined ? null : (
          <OperationList organisation={organisation} user={person.id} source={source.name} />
        )}
      </Parts>
    </Dialog>
  );
}

/** The three ways and what else is held, the effective level first. */
export function CellFacts({
  cell,
  person,
}: {
  readonly cell: MatrixCell;
  readonly person: Pick<MatrixRow, 'held' | 'permissions' | 'features'>;
}) {
  return (
    <Facts
      of={[
        ['Effective', <LevelSign key="level" level={cell.level} />],
        [
          'Organisation allows',
          <WithReason key="admin" reason={cell.reasons.admin}>
            <LevelSign level={cell.admin} />
          </WithReason>,
        ],
        [
          'Person chose',
          <WithReason key="user" reason={cell.reasons.user}>
            <LevelSign level={cell.user} />
          </WithReason>,
        ],
        [
          'Account',
          <WithReason key="account" reason={cell.reasons.connection}>
            {CONNECTION_WORDS[cell.connection]}
          </WithReason>,
        ],
        ['Roles', person.held.join(', ') || 'none'],
        [
          'Roles by the service',
          cell.serviceRoles === undefined
            ? undefined
            : (cell.reasons.roles ?? (cell.serviceRoles.join(', ') || 'none')),
        ],
        ['Permissions', person.permissions.join(', ') || 'none'],
        ['Features', person.features.join(', ') || 'none'],
      ]}
    />
  );
}

function WithReason({
  reason,
  children,
}: {
  readonly reason: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <span className={styles['reasoned']}>
      {children}
      {reason === undefined ? null : <span className={styles['soft']}>{reasonWords(reason)}</span>}
    </span>
  );
}
