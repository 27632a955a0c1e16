import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import {
  type ConnectionRecord,
  useReconnect,
  useRemoveConnection,
  useUpdateConnection,
} from './connection-queries.ts';
import { OutsideLink } from './outside-link.tsx';
import styles from './sources.module.css';

/** What can be done with an account; who may, the gateway says. */
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
        <Button
          size="s"
          variant="quiet"
          aria-label={`Reconnect ${name}`}
          disabled={reconnect.isPending}
          onClick={() => reconnect.mutate(id)}
        >
          Reconnect
        </Button>
      ) : null}
      <Button
        size="s"
        variant="quiet"
        aria-label={`Switch ${other === 'disabled' ? 'off' : 'on'} ${name}`}
        disabled={update.isPending}
        onClick={() => update.mutate({ id, status: other })}
      >
        {other === 'disabled' ? 'Switch off' : 'Switch on'}
      </Button>
      <Button size="s" variant="quiet" aria-label={`Remove ${name}`} onClick={() => setRemoving(true)}>
        Remove
      </Button>
      {update.isError ? <ErrorNote error={update.error} title="It was not changed" /> : null}
      {reconnect.isError ? <ErrorNote error={reconnect.error} title="There is no page for it" /> : null}
      {reconnect.data === undefined ? null : (
        <Dialog title={`Connect ${name} again`} onClose={() => reconnect.reset()}>
          <div className={styles['form']}>
            <p>
              The page is good until {new Date(reconnect.data.expiresAt).toLocaleTimeString()}. The connection
              keeps its id.
            </p>
            <OutsideLink href={reconnect.data.connectLink}>Open the page of the provider</OutsideLink>
          </div>
        </Dialog>
      )}
      {removing ? (
        <Confirm
          title={`Remove ${name}?`}
          action="Remove"
          busy={remove.isPending}
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutate(id, { onSuccess: () => setRemoving(false) })}
        >
          <p>
            Whoever used it cannot call the provider any more, from the next call on. The account itself
            stays.
          </p>
          {remove.isError ? <ErrorNote error={remove.error} title="It was not removed" /> : null}
        </Confirm>
      ) : null}
    </span>
  );
}
