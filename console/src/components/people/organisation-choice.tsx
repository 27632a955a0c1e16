import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Organisation } from '../../../../gateway/src/principals/directory/records.ts';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Field } from '../forms/field.tsx';
import { Notice } from '../states/notice.tsx';
import { visibleText } from '../visible-text.ts';

/** Organisations that the caller may see: the operator all, everybody else the own one. */
function useOrganisations() {
  const { data: session } = useSession();
  return useQuery({
    queryKey: ['organisations'],
    queryFn: () => api<{ organisations: readonly Organisation[] }>('GET', '/orgs'),
    select: withShownNames,
    enabled: session?.mode === 'team' && session.signedIn,
  });
}

function withShownNames({ organisations }: { readonly organisations: readonly Organisation[] }) {
  return organisations.map((one) => ({ ...one, name: visibleText(one.name) }));
}

/** The organisation that a page shows: the one that was chosen there, else the first. */
export function useChosenOrganisation() {
  const query = useOrganisations();
  const [chosen, choose] = useState<string>();
  const list = query.data ?? [];
  const organisation = list.find(({ id }) => id === chosen) ?? list[0];
  const [shown, setShown] = useState<Organisation>();
  const [gone, setGone] = useState<Organisation>();
  if (query.data !== undefined && organisation?.id !== shown?.id) {
    setShown(organisation);
    setGone(list.some(({ id }) => id === shown?.id) ? undefined : shown);
  }
  return { query, list, organisation, gone, choose };
}

interface OrganisationGoneProps {
  readonly gone: Organisation | undefined;
  /** What is shown in its place; undefined: there is no other. */
  readonly organisation: Organisation | undefined;
}

/** Says that what the page showed was removed, and whose it shows now; nothing as long as nothing was. */
export function OrganisationGone({ gone, organisation }: OrganisationGoneProps) {
  if (gone === undefined) return null;
  return (
    <Notice tone="warn" title={`${gone.name} was removed`} alert>
      {organisation === undefined ? null : <p>What is shown now is of {organisation.name}.</p>}
    </Notice>
  );
}

interface OrganisationChoiceProps {
  readonly organisations: readonly Organisation[];
  readonly chosen: string;
  readonly onChoose: (organisation: string) => void;
}

/** Which organisation is looked at; nothing to choose where there is one. */
export function OrganisationChoice({ organisations, chosen, onChoose }: OrganisationChoiceProps) {
  if (organisations.length < 2) return null;
  return (
    <Field label="Organisation">
      <select value={chosen} onChange={({ target }) => onChoose(target.value)}>
        {organisations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}
