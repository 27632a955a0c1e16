import { hashKey } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../../gateway/src/principals/directory/records.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { Field } from '../../components/forms/field.tsx';
import { UserStateField } from '../../components/people/user-state-field.tsx';
import styles from './people.module.css';
import { useCreateUser, useUpdateUser } from './queries.ts';
import { RoleChoices } from './role-choices.tsx';

interface UserDialogProps {
  readonly organisation: string;
  /** Absent: somebody new. */
  readonly user?: User | undefined;
  readonly roles: readonly string[];
  readonly onClose: () => void;
}

/** Creates a user, or changes one. */
export function UserDialog({ organisation, user, roles, onClose }: UserDialogProps) {
  const create = useCreateUser();
  const update = useUpdateUser();
  const [name, setName] = useState(user?.name ?? '');
  const [email, setEmail] = useState(user?.email ?? '');
  const [subject, setSubject] = useState(user?.subject ?? '');
  const [held, setHeld] = useState<readonly string[]>(user?.roles ?? []);
  const [status, setStatus] = useState(user?.status ?? 'active');
  const sent = user === undefined ? create : update;
  const send = () => {
    const given = {
      name: name.trim(),
      email: email.trim() === '' ? null : email.trim(),
      subject: subject.trim() === '' ? null : subject.trim(),
      roles: held,
    };
    if (user === undefined) return create.mutate({ organisation, ...given }, { onSuccess: onClose });
    // what was left alone is as somebody else may have set it meanwhile
    const changed = changedOf(user, { ...given, status });
    if (Object.keys(changed).length === 0) return onClose();
    update.mutate({ id: user.id, ...changed }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={user === undefined ? 'Add a person' : user.name}
      action={user === undefined ? 'Add' : 'Save'}
      sent={sent}
      refused="The person was not saved"
      onSend={send}
      onClose={onClose}
    >
      <div className={styles['pair']}>
        <Field label="Name" required>
          <input value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field label="Email">
          <input
            type="email"
            value={email}
            maxLength={320}
            autoComplete="off"
            onChange={({ target }) => setEmail(target.value)}
          />
        </Field>
      </div>
      <Field label="Subject" hint="The sub of sign-in tokens, where people come by an identity provider.">
        <input value={subject} maxLength={255} onChange={({ target }) => setSubject(target.value)} />
      </Field>
      <RoleChoices roles={roles} chosen={held} onChange={setHeld} />
      {user === undefined ? null : (
        <UserStateField
          hint="A disabled person may do nothing from the next call on."
          value={status}
          onChange={setStatus}
        />
      )}
    </FormDialog>
  );
}

/** The members that are no longer as they were shown. */
function changedOf<Members extends Partial<User>>(before: User, members: Members): Partial<Members> {
  const isChanged = ([name, value]: [string, unknown]) =>
    hashKey([value]) !== hashKey([before[name as keyof User]]);
  return Object.fromEntries(Object.entries(members).filter(isChanged)) as Partial<Members>;
}
