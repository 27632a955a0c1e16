import { useEffect, useRef, useState } from 'react';
import type { CreatedKey, KeyAccess, User } from '../../../../gateway/src/principals/directory/records.ts';
import { useSessionOver } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useOpenForm } from '../../components/dialogs/open-forms.ts';
import { Checkboxes } from '../../components/forms/checkboxes.tsx';
import { Field, Legend } from '../../components/forms/field.tsx';
import { Parts } from '../../components/layout/stack.tsx';
import { namesOf } from '../../components/people/names-of.ts';
import { Notice } from '../../components/states/notice.tsx';
import { useSay } from '../../components/states/said.tsx';
import styles from './people.module.css';
import { useCreateKey, useSourceNames } from './queries.ts';

interface KeyDialogProps {
  /** Whom the key may be for. */
  readonly users: readonly Pick<User, 'id' | 'name'>[];
  /** The operator makes keys that decide approvals; nobody else does. */
  readonly operates: boolean;
  readonly onClose: () => void;
}

/** Makes a key, then shows it the one time that it can be seen. */
export function KeyDialog({ users, operates, onClose }: KeyDialogProps) {
  const [created, setCreated] = useState<CreatedKey>();
  const [gone, setGone] = useState<string>();
  useSessionOver(() => {
    if (created === undefined) return;
    setGone(created.record.name);
    setCreated(undefined);
  });
  if (gone !== undefined) return <GoneKey name={gone} onClose={onClose} />;
  return created === undefined ? (
    <NewKeyForm users={users} operates={operates} onClose={onClose} onCreated={setCreated} />
  ) : (
    <ShownKey created={created} onClose={onClose} />
  );
}

function NewKeyForm({
  users,
  operates,
  onClose,
  onCreated,
}: KeyDialogProps & { readonly onCreated: (created: CreatedKey) => void }) {
  const create = useCreateKey();
  const names = namesOf(users);
  const sources = useSourceNames();
  const [user, setUser] = useState(users[0]?.id ?? '');
  const [name, setName] = useState('');
  const [maxAccess, setMaxAccess] = useState<KeyAccess>('write');
  const [only, setOnly] = useState<readonly string[]>([]);
  const [days, setDays] = useState(90);
  const [decides, setDecides] = useState(false);
  const send = () => {
    create.mutate(
      {
        user,
        name: name.trim(),
        maxAccess,
        sources: only.length === 0 || decides ? null : only,
        expiresInDays: days,
        ...(decides ? { purpose: 'approve' as const } : {}),
      },
      { onSuccess: onCreated },
    );
  };
  return (
    <FormDialog
      title={users.length === 1 ? `New key for ${names.get(user)}` : 'New key'}
      action="Make the key"
      sent={create}
      refused="No key was made"
      onSend={send}
      onClose={onClose}
    >
      {users.length === 1 ? null : (
        <Field label="For" required>
          <select value={user} onChange={({ target }) => setUser(target.value)}>
            {users.map(({ id }) => (
              <option key={id} value={id}>
                {names.get(id)}
              </option>
            ))}
          </select>
        </Field>
      )}
      <div className={styles['pair']}>
        <Field label="Name" hint="Where it will be used: laptop, ci." required>
          <input value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field label="Lives, in days" hint="366 at most." required>
          <input
            type="number"
            min={1}
            max={366}
            value={days}
            onChange={({ target }) => setDays(target.valueAsNumber)}
          />
        </Field>
      </div>
      {operates ? (
        <Field label="Purpose" hint="A key that decides approvals calls no tool.">
          <select
            value={decides ? 'approve' : 'call'}
            onChange={({ target }) => setDecides(target.value === 'approve')}
          >
            <option value="call">Calls tools</option>
            <option value="approve">Decides approvals</option>
          </select>
        </Field>
      ) : null}
      {decides ? null : (
        <>
          <Field label="At most" hint="Levels still decide; the key only narrows them.">
            <select value={maxAccess} onChange={({ target }) => setMaxAccess(target.value as KeyAccess)}>
              <option value="read">Reading</option>
              <option value="write">Reading and writing</option>
              <option value="delete">Reading, writing and deleting</option>
            </select>
          </Field>
          <fieldset>
            <Legend>Only for these sources</Legend>
            <Checkboxes what="sources" names={sources.data ?? []} chosen={only} onChange={setOnly} />
            <p className={styles['soft']}>None ticked: all of them.</p>
          </fieldset>
        </>
      )}
    </FormDialog>
  );
}

function ShownKey({ created, onClose }: { readonly created: CreatedKey; readonly onClose: () => void }) {
  const copy = useRef<HTMLDivElement>(null);
  // one dialog takes the place of another: where the focus went is not always said
  useSay(`The key ${created.record.name} is made, and shown this once`);
  // another Enter, from the form before, does not put the key away
  useEffect(() => copy.current?.querySelector('button')?.focus(), []);
  return (
    <Dialog
      title={`Key ${created.record.name}`}
      keeps="asks"
      onClose={onClose}
      actions={
        <Button variant="primary" onClick={onClose}>
          I have it
        </Button>
      }
    >
      <Parts>
        <Notice tone="warn" title="Shown this once">
          <p>The gateway keeps no copy: whoever loses it makes another one.</p>
        </Notice>
        <p className={styles['shown']} data-key>
          {created.key}
        </p>
        <div ref={copy}>
          <CopyButton text={created.key} what="the key" />
        </div>
      </Parts>
    </Dialog>
  );
}

/** Whoever comes to this browser when the session has ended sees no key, and whoever made it learns why. */
function GoneKey({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  useOpenForm(true);
  return (
    <Dialog title={`Key ${name}`} isSaid onClose={onClose}>
      <Notice tone="warn" title="It is no longer shown">
        <p>The session in which the key was made has ended. Whoever has not copied it makes another one.</p>
      </Notice>
    </Dialog>
  );
}
