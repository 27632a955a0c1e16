import { useState } from 'react';
import type { Organisation } from '../../../../gateway/src/principals/directory/records.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { Field } from '../../components/forms/field.tsx';
import { IdentifierField } from '../../components/forms/identifier-field.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { say } from '../../components/states/said.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { FilteredRows } from '../../components/tables/filtered-rows.tsx';
import { RowAction } from '../../components/tables/row-action.tsx';
import { Time } from '../../components/time/time.tsx';
import styles from './people.module.css';
import { useCreateOrganisation, useRemoveOrganisation } from './queries.ts';

interface OrganisationListProps {
  readonly organisations: readonly Organisation[];
  readonly onChoose: (organisation: string) => void;
}

/** Every organisation of the gateway, for the operator. */
export function OrganisationList({ organisations, onChoose }: OrganisationListProps) {
  const remove = useRemoveOrganisation();
  const [making, setMaking] = useState(false);
  const [removing, setRemoving] = useState<Organisation>();
  return (
    <Panel
      title="Organisations"
      actions={
        <Button variant="primary" size="s" onClick={() => setMaking(true)}>
          Add an organisation
        </Button>
      }
      flush
    >
      {organisations.length === 0 ? (
        <EmptyState title="There is no organisation yet">
          <p>Add one, then a person with the role admin and a key for them.</p>
        </EmptyState>
      ) : (
        <FilteredRows
          what="organisations"
          one="organisation"
          few={20}
          inset
          rows={organisations}
          wordsOf={({ id, name }) => `${id}\n${name}`}
          total={organisations.length}
        >
          {(shown) => (
            <DataTable
              caption="Organisations"
              rows={shown}
              rowKey={({ id }) => id}
              columns={[
                {
                  key: 'name',
                  title: 'Name',
                  cell: ({ id, name }) => (
                    <>
                      <span className={styles['name']}>{name}</span>
                      <code className={styles['soft']}>{id}</code>
                    </>
                  ),
                },
                {
                  key: 'features',
                  title: 'Features',
                  wide: true,
                  cell: ({ features }) => features.join(', ') || 'none',
                },
                {
                  key: 'since',
                  title: 'Since',
                  wide: true,
                  cell: ({ createdAt }) => <Time at={createdAt} />,
                },
                {
                  key: 'actions',
                  title: 'Actions',
                  align: 'end',
                  cell: (organisation) => (
                    <span className={styles['row']}>
                      <RowAction to={organisation.name} onClick={() => onChoose(organisation.id)}>
                        Choose
                      </RowAction>
                      <RowAction to={organisation.name} onClick={() => setRemoving(organisation)}>
                        Remove
                      </RowAction>
                    </span>
                  ),
                },
              ]}
            />
          )}
        </FilteredRows>
      )}
      {making ? (
        <OrganisationDialog
          onClose={() => setMaking(false)}
          onCreated={(id) => {
            setMaking(false);
            onChoose(id);
          }}
        />
      ) : null}
      {removing === undefined ? null : (
        <Confirm
          title={`Remove ${removing.name}?`}
          action="Remove"
          sent={remove}
          refused="Nothing was removed"
          onClose={() => setRemoving(undefined)}
          onConfirm={() =>
            remove.mutate(removing.id, {
              onSuccess() {
                setRemoving(undefined);
                say(`${removing.name} is removed`);
              },
            })
          }
        >
          <p>Its people, keys, levels and accounts go along. This cannot be taken back.</p>
        </Confirm>
      )}
    </Panel>
  );
}

interface OrganisationDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
}

function OrganisationDialog({ onClose, onCreated }: OrganisationDialogProps) {
  const create = useCreateOrganisation();
  const [name, setName] = useState('');
  const [id, setId] = useState('');
  const send = () => {
    const given = { name: name.trim(), ...(id.trim() === '' ? {} : { id: id.trim() }) };
    create.mutate(given, { onSuccess: (made) => onCreated(made.id) });
  };
  return (
    <FormDialog
      title="Add an organisation"
      action="Add"
      sent={create}
      refused="No organisation was added"
      onSend={send}
      onClose={onClose}
    >
      <Field label="Name" required>
        <input value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />
      </Field>
      <IdentifierField
        label="Id"
        hint="Only where sign-in tokens name it; a random one otherwise."
        value={id}
        onChange={setId}
      />
    </FormDialog>
  );
}
