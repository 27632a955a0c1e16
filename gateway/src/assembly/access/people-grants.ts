import type { GrantSource, Grants, Principal } from '../../operations/index.ts';
import type { OrganisationAccess, Person } from '../../principals/access/access-records.ts';

/** Those who may do nothing, disabled users among them, have grants of nothing. */
export async function eachGrants(
  { organisation, snapshot }: OrganisationAccess,
  people: readonly Person[],
  source: GrantSource,
  waitFor?: string,
): Promise<ReadonlyArray<readonly [Person, Grants]>> {
  return Promise.all(
    people.map(async (person) => {
      const principal = personPrincipal(person.id, organisation);
      const active = snapshot.users.get(person.id)?.active === true;
      return [person, active ? await source.fresh(principal, waitFor) : source.known(principal)] as const;
    }),
  );
}

/** A user without any credential's limits. */
function personPrincipal(id: string, organisation: string): Principal {
  return { id, kind: 'user', maxAccess: 'delete', roles: [], organisation };
}

/** Whether a person is asked for: by id, or by part of a name, an id or a role. */
export function fits(
  { id, name, roles }: Person,
  { user, q }: { user?: string | undefined; q?: string | undefined },
) {
  if (user !== undefined && user !== id) return false;
  return q === undefined || [id, name, ...roles].some((text) => text.toLowerCase().includes(q.toLowerCase()));
}
