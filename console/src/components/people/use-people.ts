import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import { useChanges } from '../../api/event-stream.ts';
import { readAgain } from '../../api/read-again.ts';
import { useSession } from '../../api/session.ts';
import { nameOrder } from '../name-order.ts';
import { visibleText } from '../visible-text.ts';
import { type Named, namesOf } from './names-of.ts';

/** The people that the caller may know: in a team those of the organisation, for admins and approvers; of every one; or nobody but the caller. */
export interface People {
  /** By id. */
  readonly names: ReadonlyMap<string, string>;
  /** By name, as they are shown. */
  readonly sorted: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  /** The id stands for whoever is no person, or no longer one. */
  nameOf(id: string): string;
  /** With the id behind it, where somebody decides by it. */
  fullNameOf(id: string): string;
  /** Of a name as it is shown; another text stays as it is. */
  idOf(text: string): string;
  /** By its name, where the caller may know it: the own one, for the operator all. */
  organisationOf(id: string): string;
}

interface Names {
  readonly people: readonly Named[];
  readonly organisations: readonly Named[];
}

const namesById = ({ people, organisations }: Names) => ({
  names: namesOf(people),
  organisations: namesOf(organisations),
});

const NOBODY = namesById({ people: [], organisations: [] });

const QUERY_KEY = ['people', 'names'];

/** Calls and approvals say who made them by id. */
export function usePeople(): People {
  const { data: session } = useSession();
  const { data } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => api<Names>('GET', '/approvals/people', { signal }),
    select: namesById,
    enabled: session?.mode === 'team' && session.signedIn,
    staleTime: 60_000,
  });
  return useMemo(() => peopleOf(data ?? NOBODY), [data]);
}

/** Once a page: a changed name counts at once. */
export function useFollowedNames(): void {
  const client = useQueryClient();
  useChanges({ types: ['user-changed', 'organisation-changed'] }, () =>
    readAgain(client, { queryKey: QUERY_KEY }),
  );
}

function peopleOf({ names, organisations }: ReturnType<typeof namesById>): People {
  const byName = nameOrder();
  const ids = new Map([...names].map(([id, name]) => [name.toLowerCase(), id]));
  const nameOf = (id: string) => names.get(id) ?? visibleText(id);
  return {
    names,
    sorted: [...names.keys()].map((id) => ({ id, name: nameOf(id) })).sort((a, b) => byName(a.name, b.name)),
    nameOf,
    fullNameOf(id) {
      const name = nameOf(id);
      const shown = visibleText(id);
      return name === shown || name.endsWith(` (${id})`) ? name : `${name} (${shown})`;
    },
    idOf: (text) => (names.has(text) ? text : (ids.get(text.toLowerCase()) ?? text)),
    organisationOf: (id) => organisations.get(id) ?? visibleText(id),
  };
}
