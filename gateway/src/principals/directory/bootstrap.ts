import { ToolcribError } from '../../errors.ts';
import type { AdminEvent } from '../../operations/index.ts';
import { raiseRevisions } from '../../store/revisions.ts';
import type { Store } from '../../store/store.ts';
import { ADMIN_ROLE } from './actor.ts';
import { insertDefaultLevels } from './default-levels.ts';
import type { DirectoryOptions } from './directory.ts';
import { newId, scopeOf } from './directory-context.ts';
import { checkInput, organisationInput, userInput } from './inputs.ts';
import { newKeyRow } from './keys.ts';
import type { CreatedKey, Organisation, User } from './records.ts';
import { keyOf, organisationOf, userOf } from './rows-to-records.ts';

export interface BootstrapOptions extends Pick<DirectoryOptions, 'defaults' | 'record' | 'now'> {
  readonly organisation: { readonly id?: string | undefined; readonly name: string };
  readonly user: {
    readonly name: string;
    readonly email?: string | null | undefined;
    readonly subject?: string | null | undefined;
  };
}

export interface Bootstrapped {
  readonly organisation: Organisation;
  readonly user: User;
  readonly key: CreatedKey;
}

/**
 * The first organisation, its admin and a key, in one transaction. Throws `record_conflict` as soon as there is an
 * organisation, also when two processes try at once; `record_invalid`.
 */
export async function bootstrap(store: Store, options: BootstrapOptions): Promise<Bootstrapped> {
  const { defaults, record, now = Date.now } = options;
  const organisationGiven = checkInput(organisationInput, options.organisation);
  const userGiven = checkInput(userInput, options.user);
  const id = organisationGiven.id ?? newId('org');
  const made = await store.change([scopeOf(id)], async (transaction) => {
    // two at once come one after the other
    await raiseRevisions(transaction, store.dialect, ['bootstrap']);
    const other = await transaction.selectFrom('organisations').select('id').limit(1).executeTakeFirst();
    if (other !== undefined) {
      throw new ToolcribError('record_conflict', 'There is an organisation already.', {
        next: 'Add others with `toolcrib admin org add`, users with `admin user add`, keys with `admin key add`.',
      });
    }
    const time = now();
    const organisation = {
      id,
      name: organisationGiven.name,
      tools: null,
      features: '[]',
      created_at: time,
    };
    const user = {
      id: newId('user'),
      organisation_id: id,
      name: userGiven.name,
      email: userGiven.email ?? null,
      subject: userGiven.subject ?? null,
      status: 'active',
      tools: null,
      created_at: time,
    };
    await transaction.insertInto('organisations').values(organisation).execute();
    await transaction
      .insertInto('roles')
      .values({ organisation_id: id, name: ADMIN_ROLE, permissions: '[]' })
      .execute();
    await transaction.insertInto('users').values(user).execute();
    await transaction.insertInto('user_roles').values({ user_id: user.id, role: ADMIN_ROLE }).execute();
    await insertDefaultLevels(transaction, id, '', defaults.organisation, time);
    await insertDefaultLevels(transaction, id, user.id, defaults.user, time);
    const about = { organisation: id, user: user.id, name: 'bootstrap', maxAccess: 'delete' as const };
    const { created, row } = newKeyRow(about, time);
    await transaction.insertInto('api_keys').values(row).execute();
    return {
      organisation: organisationOf(organisation),
      user: userOf(user, [ADMIN_ROLE]),
      key: { record: keyOf(row, time), key: created },
    };
  });
  const event = (type: AdminEvent['type'], subject: string): AdminEvent => ({
    type,
    organisation: id,
    principal: 'local',
    subject,
    change: 'created by bootstrap',
  });
  await record?.(event('organisation-changed', id));
  await record?.(event('user-changed', made.user.id));
  await record?.(event('key-changed', made.key.record.id));
  return made;
}
