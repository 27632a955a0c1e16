import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { ToolcribError } from '../../errors.ts';
import { nameOrder } from '../../operations/text/compare-names.ts';
import { compareText } from '../../operations/text/compare-text.ts';
import { raiseRevisions } from '../../store/revisions.ts';
import type { Tables } from '../../store/tables.ts';
import { type Actor, isAdmin, organisationFor, unknownRecord } from '../directory/actor.ts';
import { type DirectoryContext, scopeOf } from '../directory/directory-context.ts';
import { checkInput } from '../directory/inputs.ts';
import { type OrganisationSnapshot, organisationIn } from '../grants/organisation-snapshot.ts';
import { accessChanges, checkAccessChanges, withChanges } from './access-changes.ts';
import type { AccessRecords, OrganisationAccess, Person } from './access-records.ts';
import { writeAccess } from './write-access.ts';

export function createAccessRecords(context: DirectoryContext): AccessRecords {
  const { store, sources } = context.options;
  const readNow = async (actor: Actor, organisation: string) =>
    store.snapshot((transaction) => readAccess(transaction, actor, organisation));
  return {
    async read(by, filter = {}) {
      const actor = await context.actor(by);
      return readNow(actor, organisationFor(actor, filter.organisation));
    },
    async propose(by, given) {
      const { organisation, version, changes } = checkInput(accessChanges, given);
      const actor = await context.actor(by);
      const before = await readNow(actor, organisationFor(actor, organisation));
      checkVersion(before, version);
      checkAccessChanges(actor, before.snapshot, sources(), changes);
      return { before, after: seenBy(actor, { ...before, snapshot: withChanges(before.snapshot, changes) }) };
    },
    async save(by, given) {
      const { organisation: named, version, changes } = checkInput(accessChanges, given);
      const organisation = organisationFor(await context.actor(by), named);
      return context.change(by, [organisation], async (change) => {
        const { transaction, actor } = change;
        // the row of the revision is held from here: whoever changes the organisation too comes before or after
        await raiseRevisions(transaction, store.dialect, [scopeOf(organisation)]);
        const before = await readAccess(transaction, actor, organisation);
        checkVersion(before, version);
        checkAccessChanges(actor, before.snapshot, sources(), changes);
        await writeAccess(change, organisation, before.snapshot, changes);
        return readAccess(transaction, actor, organisation);
      });
    },
  };
}

/** Throws `record_unknown` for an organisation that is not there. */
async function readAccess(
  transaction: Transaction<Tables>,
  actor: Actor,
  organisation: string,
): Promise<OrganisationAccess> {
  const snapshot = await organisationIn(transaction, organisation, 0);
  if (snapshot === undefined) throw unknownRecord('organisation', organisation);
  const rows = await transaction
    .selectFrom('users')
    .select(['id', 'name'])
    .where('organisation_id', '=', organisation)
    .execute();
  const people = rows
    .map(({ id, name }): Person => ({ id, name, status: 'active', roles: [] }))
    .sort(nameOrder());
  return seenBy(actor, { organisation, version: '', people, manages: isAdmin(actor), snapshot });
}

/** The people whom the actor may see as the snapshot has them, and the version of what the actor may see. */
function seenBy(actor: Actor, access: OrganisationAccess): OrganisationAccess {
  const { snapshot, manages } = access;
  const people = access.people.flatMap((person): Person[] => {
    const user = snapshot.users.get(person.id);
    const seen = manages || (actor.kind === 'user' && actor.id === person.id);
    if (user === undefined || !seen) return [];
    return [{ ...person, status: user.active ? 'active' : 'disabled', roles: user.roles }];
  });
  return { ...access, people, version: versionOf(snapshot, people) };
}

function versionOf(snapshot: OrganisationSnapshot, people: readonly Person[]): string {
  const users = people.map(({ id, status, roles }) => [
    id,
    status,
    roles,
    sorted(snapshot.users.get(id)?.levels),
  ]);
  const content = [
    sorted(snapshot.levels),
    sorted(snapshot.permissions),
    [...snapshot.features].sort(),
    users.sort(([a], [b]) => compareText(String(a), String(b))),
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

function sorted(map: ReadonlyMap<string, unknown> = new Map()): readonly unknown[] {
  return [...map].sort(([a], [b]) => compareText(a, b));
}

function checkVersion(access: OrganisationAccess, version: string | undefined): void {
  if (version === undefined || version === access.version) return;
  throw new ToolcribError(
    'record_conflict',
    'Somebody changed levels, roles or features of this organisation meanwhile: nothing was saved. Read them again.',
    { pointer: '/version' },
  );
}
