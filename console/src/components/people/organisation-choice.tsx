import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Organisation } from '../../../../gateway/src/principals/directory/records.ts';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Field } from '../forms/field.tsx';
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
  return { query, list, organisation, choose };
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
