import type { Configuration } from '../config/index.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';
import type { Database } from '../store/store.ts';
import type { Finding } from './finding.ts';

/** Who administers an organisation has it, wherever it is written. */
const ADMIN_ROLE = 'admin';

/** Roles that `topology.for` names and nobody can have: a slip of the pen in one leaves everybody the usual topology. */
export async function checkTopologyRoles(configuration: Configuration): Promise<Finding[]> {
  const { surface, auth } = configuration;
  const rules = (surface?.rules ?? []).flatMap(({ role }, index) =>
    role === undefined ? [] : [{ role, index }],
  );
  // sign-in tokens bring roles of their own
  if (rules.length === 0 || auth.jwt !== undefined) return [];
  const known = auth.mode === 'local' ? new Set<string>() : await knownRoles(configuration);
  return rules
    .filter(({ role }) => known !== undefined && !known.has(role))
    .map(({ role, index }) => ({
      check: 'topology',
      status: 'warning',
      message: `Rule ${index + 1} of topology.for is for the role ${role}, which nobody has.${didYouMean(role, known ?? [])}`,
      next:
        auth.mode === 'local'
          ? 'Without `auth.mode: team` nobody has a role: choose by `client`, or take the rule out.'
          : 'Correct the role, or add it: `toolcrib admin role set`.',
    }));
}

/** Undefined where the store cannot say. */
async function knownRoles({ store }: Configuration): Promise<ReadonlySet<string> | undefined> {
  if (store === 'none') return undefined;
  const { inspectStore } = await import('../store/inspect.ts');
  const status = await inspectStore(store).catch(() => undefined);
  if (status?.exists !== true || status.version !== status.needed) return undefined;
  const { withConnection } = await import('../store/connect.ts');
  return withConnection(store, ({ database }) => rolesIn(database));
}

async function rolesIn(database: Database): Promise<ReadonlySet<string>> {
  const defined = await database.selectFrom('roles').select('name').distinct().execute();
  return new Set([ADMIN_ROLE, ...defined.map(({ name }) => name)]);
}
