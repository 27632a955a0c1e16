import { useState } from 'react';
import { useSession, useSessionOver } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Field } from '../../components/forms/field.tsx';
import { Parts } from '../../components/layout/stack.tsx';
import { Refusal } from '../../components/states/error-note.tsx';
import { useConnectable, useConnectSession, useCreateConnection } from './connection-queries.ts';
import { OutsideLink } from './outside-link.tsx';

/** An account of one's own, or by an admin the organisation's: connected at Nango, then recorded by the id that its page ends with. */
export function ConnectAccount({ onClose }: { readonly onClose: () => void }) {
  const session = useSession().data;
  const me = session?.principal;
  const sources = useConnectable() ?? [];
  const [chosen, setChosen] = useState<string>();
  const [isMine, setMine] = useState(true);
  const [connection, setConnection] = useState('');
  const open = useConnectSession();
  const create = useCreateConnection();
  // whoever has the link connects an account in this person's name
  useSessionOver(() => {
    if (open.data !== undefined) open.reset();
  });
  const source = chosen ?? sources[0]?.name ?? '';
  const { provider = source, integration = source } = sources.find(({ name }) => name === source) ?? {};
  return (
    <Dialog
      title="Connect an account"
      keeps
      waits={create.isPending}
      onClose={onClose}
      actions={
        <>
          <Button waits={create.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            disabled={source === '' || connection.trim() === ''}
            waits={create.isPending}
            onClick={() =>
              create.mutate(
                {
                  source,
                  ...(me === undefined || !isMine ? {} : { user: me.id }),
                  credentials: { nango: { integration, connection: connection.trim() } },
                },
                { onSuccess: onClose },
              )
            }
          >
            Record it
          </Button>
        </>
      }
    >
      <Parts>
        <Field label="Source">
          <select
            value={source}
            onChange={({ target }) => {
              setChosen(target.value);
              open.reset();
            }}
          >
            {sources.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        {session?.can.administer === true ? (
          <Field label="Whose" hint="The organisation’s counts for everybody who has none of their own.">
            <select
              value={isMine ? 'mine' : 'organisation'}
              onChange={({ target }) => setMine(target.value === 'mine')}
            >
              <option value="mine">Mine</option>
              <option value="organisation">The organisation’s</option>
            </select>
          </Field>
        ) : null}
        {open.data === undefined ? (
          <p>
            <Button disabled={source === ''} waits={open.isPending} onClick={() => open.mutate(source)}>
              {open.isPending ? 'Asking…' : 'Get the page on which it is connected'}
            </Button>
          </p>
        ) : (
          <p>
            <OutsideLink href={open.data.connectLink}>Open the page of {provider}</OutsideLink>, good until{' '}
            {new Date(open.data.expiresAt).toLocaleTimeString()}.
          </p>
        )}
        <Refusal of={open} title="There is no page for it" />
        <Field label="Connection id" hint="The page ends with it.">
          <input
            value={connection}
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => setConnection(target.value)}
          />
        </Field>
        <Refusal of={create} title="It was not recorded" />
      </Parts>
    </Dialog>
  );
}
