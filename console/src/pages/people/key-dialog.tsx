import { type FormEvent, useId, useState } from 'react';
import type { CreatedKey, KeyAccess, User } from '../../../../gateway/src/principals/records.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
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
  const form = useId();
  const create = useCreateKey();
  const sources = useSourceNames();
  const [user, setUser] = useState(users[0]?.id ?? '');
  const [name, setName] = useState('');
  const [maxAccess, setMaxAccess] = useState<KeyAccess>('write');
  const [only, setOnly] = useState<readonly string[]>([]);
  const [days, setDays] = useState(90);
  const [decides, setDecides] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
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
    <Dialog
      title={users.length === 1 ? `New key for ${users[0]!.name}` : 'New key'}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} disabled={create.isPending}>
            Make the key
          </Button>
        </>
      }
    >
      <form id={form} className={styles['stack']} onSubmit={send}>
        {create.isError ? <ErrorNote error={create.error} title="No key was made" /> : null}
        {users.length === 1 ? null : (
          <Field label="For" required>
            <select value={user} onChange={({ target }) => setUser(target.value)}>
              {users.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
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
              <legend className={styles['legend']}>Only for these sources</legend>
              <div className={styles['choices']}>
                {(sources.data ?? []).map((source) => (
                  <label key={source}>
                    <input
                      type="checkbox"
                      checked={only.includes(source)}
                      onChange={({ target }) =>
                        setOnly(target.checked ? [...only, source] : only.filter((one) => one !== source))
                      }
                    />{' '}
                    {source}
                  </label>
                ))}
              </div>
              <p className={styles['soft']}>None ticked: all of them.</p>
            </fieldset>
          </>
        )}
      </form>
    </Dialog>
  );
}

function ShownKey({ created, onClose }: { readonly created: CreatedKey; readonly onClose: () => void }) {
  return (
    <Dialog
      title={`Key ${created.record.name}`}
      onClose={onClose}
      actions={
        <Button variant="primary" onClick={onClose}>
          I have it
        </Button>
      }
    >
      <div className={styles['stack']}>
        <Notice tone="warn" title="Shown this once" alert>
          <p>The gateway keeps no copy: whoever loses it makes another one.</p>
        </Notice>
        <p className={styles['shown']} data-key>
          {created.key}
        </p>
        <div>
          <CopyButton text={created.key} what="the key" />
        </div>
      </div>
    </Dialog>
  );
}
