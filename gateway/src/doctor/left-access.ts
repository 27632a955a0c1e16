import type { Configuration } from '../config/index.ts';
import type { Database } from '../store/store.ts';
import type { Finding } from './finding.ts';

/** Levels, keys and features of sources that are gone: another source under such a name would take them over. */
export async function checkLeftAccess({ store, sources }: Configuration): Promise<Finding[]> {
  if (store === 'none') return [];
  const { inspectStore } = await import('../store/inspect.ts');
  // what is wrong with the store itself is a finding of its own
  const status = await inspectStore(store).catch(() => undefined);
  if (status?.exists !== true || status.version !== status.needed) return [];
  const { withConnection } = await import('../store/connect.ts');
  const named = await withConnection(store, ({ database }) => namedSources(database));
  const left = [...named].filter(([source]) => sources[source] === undefined);
  return left.map(([source, things]) => ({
    check: `access ${source}`,
    status: 'warning',
    message: `No source has this name, but it is kept in ${[...things].join(', ')}: a source that is added under it takes them over.`,
    next: 'Take away what is not meant for it: `toolcrib admin access remove`, `toolcrib admin key revoke`; `toolcrib features reset` once it is there.',
  }));
}

/** Which kinds of records name a source. */
async function namedSources(database: Database): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const named = new Map<string, Set<string>>();
  const note = (source: string, thing: string) =>
    named.set(source, (named.get(source) ?? new Set()).add(thing));
  const levels = await database
    .selectFrom('access_levels')
    .select('scope')
    .distinct()
    .where('scope', 'like', 'source:%')
    .execute();
  for (const { scope } of levels) note(scope.slice('source:'.length), 'access levels');
  const keys = await database
    .selectFrom('api_keys')
    .select('sources')
    .distinct()
    .where('sources', 'is not', null)
    .where('revoked_at', 'is', null)
    .where((on) => on.or([on('expires_at', 'is', null), on('expires_at', '>', Date.now())]))
    .execute();
  for (const { sources } of keys)
    for (const source of JSON.parse(sources ?? '[]') as string[]) note(source, 'API keys');
  const features = await database.selectFrom('features').select('name').execute();
  for (const { name } of features) note(name.slice(0, name.lastIndexOf('.')), 'features');
  return named;
}
