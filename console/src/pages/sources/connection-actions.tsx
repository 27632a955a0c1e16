import { useState } from 'react';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Parts } from '../../components/layout/stack.tsx';
import { Refusal } from '../../components/states/error-note.tsx';
import { RowAction } from '../../components/tables/row-action.tsx';
import { visibleText } from '../../components/visible-text.ts';
import {
  type ConnectionRecord,
  useReconnect,
  useRemoveConnection,
  useUpdateConnection,
} from './connection-queries.ts';
import { OutsideLink } from './outside-link.tsx';
import styles from './sources.module.css';

/** What can be done with an account by whoever may. */
export function ConnectionActions({ connection }: { readonly connection: ConnectionRecord }) {
  const { id, name, status, credentials } = connection;
  const [removing, setRemoving] = useState(false);
  const update = useUpdateConnection();
  const remove = useRemoveConnection();
  const reconnect = useReconnect();
  const atNango = typeof credentials === 'object' && credentials !== null && 'nango' in credentials;
  const other = status === 'disabled' ? 'connected' : 'disabled';
  return (
    <span className={styles['rowActions']}>
      {atNango ? (
        <RowAction to={name} waits={reconnect.isPending} onClick={() => reconnect.mutate(id)}>
          Reconnect
        </RowAction>
      ) : null}
      <RowAction to={name} waits={update.isPending} onClick={() => update.mutate({ id, status: other })}>
        {other === 'disabled' ? 'Switch off' : 'Switch on'}
      </RowAction>
      <RowAction to={name} onClick={() => setRemoving(true)}>
        Remove
      </RowAction>
      <Refused of={update} to={name} title="It was not changed" />
      <Refused of={reconnect} to={name} title="There is no page for it" />
      {reconnect.data === undefined ? null : (
        <Dialog title={`Connect ${name} again`} onClose={() => reconnect.reset()}>
          <Parts>
            <p>
              The page is good until {new Date(reconnect.data.expiresAt).toLocaleTimeString()}. The connection
              keeps its id, and counts as connected again with the next call.
            </p>
            <OutsideLink href={reconnect.data.connectLink}>Open the page of the provider</OutsideLink>
          </Parts>
        </Dialog>
      )}
      {removing ? (
        <Confirm
          title={`Remove ${name}?`}
          action="Remove"
          sent={remove}
          refused="It was not removed"
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutate(id, { onSuccess: () => setRemoving(false) })}
        >
          <p>
            Whoever used it cannot call the provider any more, from the next call on. The account itself
            stays.
          </p>
        </Confirm>
      ) : null}
    </span>
  );
}

interface RefusedProps {
  readonly of: { readonly error: unknown; readonly reset: () => void };
  readonly to: string;
  readonly title: string;
}

/** Over the page: a row has no room for it. */
function Refused({ of, to, title }: RefusedProps) {
  if (of.error === null) return null;
  return (
    <Dialog title={visibleText(to)} onClose={of.reset}>
      <Refusal of={of} title={title} />
    </Dialog>
  );
}
