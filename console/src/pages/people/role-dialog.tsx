import { useState } from 'react';
import type { Role } from '../../../../gateway/src/principals/directory/records.ts';
import { ApiError } from '../../api/api-error.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { Field } from '../../components/forms/field.tsx';
import { IdentifierField } from '../../components/forms/identifier-field.tsx';
import { Notice } from '../../components/states/notice.tsx';
import { useSetRole } from './queries.ts';

interface RoleDialogProps {
  readonly organisation: string;
  /** Absent: a new one. */
  readonly role: Role | undefined;
  /** Names of the roles that there are: adding one of them would take their permissions away. */
  readonly taken: readonly string[];
  /** The roles as they are now; undefined: they could not be read. */
  readonly readAgain: () => Promise<readonly Role[] | undefined>;
  readonly onClose: () => void;
}

/** Makes a role, or sets the permissions of one. */
export function RoleDialog({ organisation, role, taken, readAgain, onClose }: RoleDialogProps) {
  const set = useSetRole();
  const [name, setName] = useState(role?.name ?? '');
  const [permissions, setPermissions] = useState(role?.permissions.join('\n') ?? '');
  const [before, setBefore] = useState(role?.permissions ?? null);
  const [overtaken, setOvertaken] = useState(false);
  const isTaken = role === undefined && taken.includes(name.trim());
  const send = () => {
    if (isTaken) return;
    const lines = permissions.split('\n').map((line) => line.trim());
    set.mutate(
      { organisation, name: name.trim(), permissions: lines.filter((line) => line !== ''), before },
      {
        onSuccess: onClose,
        async onError(error) {
          if (!(error instanceof ApiError) || error.code !== 'record_conflict') return setOvertaken(false);
          const roles = await readAgain();
          if (role === undefined || roles === undefined) return;
          setBefore(roles.find((one) => one.name === role.name)?.permissions ?? null);
          setOvertaken(true);
        },
      },
    );
  };
  return (
    <FormDialog
      title={role === undefined ? 'Add a role' : `Role ${role.name}`}
      action="Save"
      // what it is now is said in its place
      sent={overtaken ? { isPending: set.isPending, error: null } : set}
      refused="The role was not saved"
      onSend={send}
      onClose={onClose}
    >
      {overtaken ? <Overtaken now={before} /> : null}
      {role === undefined ? (
        <IdentifierField
          label="Name"
          required
          error={isTaken ? `There is a role ${name.trim()} already: change that one.` : undefined}
          value={name}
          onChange={setName}
        />
      ) : null}
      <Field label="Permissions" hint="One a line. A role also holds the permission of its own name.">
        <textarea value={permissions} onChange={({ target }) => setPermissions(target.value)} />
      </Field>
    </FormDialog>
  );
}

/** Permissions that the role holds now; null: it is gone. */
function Overtaken({ now }: { readonly now: readonly string[] | null }) {
  return now === null ? (
    <Notice tone="warn" title="Somebody removed this role meanwhile" alert>
      <p>Nothing was saved. To save makes it anew, and nobody holds it then.</p>
    </Notice>
  ) : (
    <Notice tone="warn" title="Somebody else changed this role meanwhile" alert>
      <p>
        Nothing was saved. It holds {now.join(', ') || 'the permission of its own name alone'} now; to save
        puts yours in their place.
      </p>
    </Notice>
  );
}
