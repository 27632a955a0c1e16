import type { AccessLevel, Account, ConnectionStatus, SourceGrant } from '../../operations/index.ts';
import { effectiveLevel } from '../../policy/effective-access.ts';
import type { SourceAccess } from '../../policy/source-access.ts';
import { readCredentials, readLevel, readTime } from '../read-rows.ts';
import type { ConnectionRow, OrganisationSnapshot, UserSnapshot } from './organisation-snapshot.ts';

/** What one user may do with each source. */
export function sourceGrants(
  sources: Readonly<Record<string, SourceAccess>>,
  organisation: OrganisationSnapshot,
  user: UserSnapshot,
): ReadonlyMap<string, SourceGrant> {
  const grants = Object.entries(sources).map(([name, source]): [string, SourceGrant] => [
    name,
    sourceGrant(name, source, organisation, user),
  ]);
  return new Map(grants);
}

function sourceGrant(
  name: string,
  source: SourceAccess,
  organisation: OrganisationSnapshot,
  user: UserSnapshot,
): SourceGrant {
  const admin = findLevel(organisation.levels, name, source.category);
  const chosen = findLevel(user.levels, name, source.category);
  const found =
    source.connections === 'shared' ? shared(source) : findAccount(name, source, organisation, user);
  const { connection } = found;
  return Object.freeze<SourceGrant>({
    level: effectiveLevel({ admin: admin.level, user: chosen.level, connection }),
    category: source.category,
    admin: admin.level,
    user: chosen.level,
    connection,
    whenUnauthenticated: source.whenUnauthenticated,
    reasons: { admin: admin.reason, user: chosen.reason, connection: found.reason },
    ...(found.account === undefined ? {} : { account: found.account }),
    ...(source.skills === undefined ? {} : { skills: source.skills }),
  });
}

/** A source wins over its category, a category over all; a level that cannot be read is none, never the next one. */
export function findLevel(
  levels: ReadonlyMap<string, string>,
  source: string,
  category: string,
): { readonly level: AccessLevel | null; readonly reason: string } {
  for (const scope of [`source:${source}`, `category:${category}`, 'category:*']) {
    const text = levels.get(scope);
    if (text === undefined) continue;
    const level = readLevel(text);
    return { level, reason: level === null ? `${scope} cannot be read` : scope };
  }
  return { level: null, reason: 'nothing is set' };
}

interface FoundAccount {
  readonly connection: ConnectionStatus;
  readonly reason: string;
  readonly account?: Account;
}

function shared({ connection = 'connected' }: SourceAccess): FoundAccount {
  return { connection, reason: 'the configured account, for everybody' };
}

/** The user's own connected record, else the organisation's; where neither is connected, the own one says why. */
function findAccount(
  name: string,
  { provider }: SourceAccess,
  organisation: OrganisationSnapshot,
  user: UserSnapshot,
): FoundAccount {
  const statusOf = (row: ConnectionRow) => (isForAnother(row, provider) ? 'unauthenticated' : stateOf(row));
  const candidates = [
    ...newestFirst(user.connections, name).map((row) => ({ row, owner: 'user' as const })),
    ...newestFirst(organisation.connections, name).map((row) => ({ row, owner: 'organisation' as const })),
  ];
  const chosen = candidates.find(({ row }) => statusOf(row) === 'connected') ?? candidates[0];
  if (chosen === undefined) return { connection: 'missing', reason: 'nobody connected an account' };
  const { row, owner } = chosen;
  const whose = owner === 'user' ? "the user's own" : "the organisation's";
  const connection = statusOf(row);
  const why = isForAnother(row, provider)
    ? `: it was connected for ${row.provider}`
    : row.status === connection
      ? ''
      : ': no credential is named';
  const reason = `${whose}, ${row.id}${why}`;
  return { connection, reason, account: accountOf(row, owner, user.actingAs.get(row.id)) };
}

/** The name of a source may be another's now: a credential is never sent to somebody else for that. */
function isForAnother(row: ConnectionRow, provider: string | undefined): boolean {
  return row.provider !== null && row.provider !== provider;
}

function newestFirst(rows: readonly ConnectionRow[], source: string): ConnectionRow[] {
  return rows
    .filter((row) => row.source === source)
    .sort((a, b) => readTime(b.updated_at) - readTime(a.updated_at) || (a.id < b.id ? -1 : 1));
}

/** Connected takes a credential reference that can be read; an unknown status is disabled. */
function stateOf({ status, credentials }: ConnectionRow): ConnectionStatus {
  if (status === 'connected') return readCredentials(credentials) === undefined ? 'unauthenticated' : status;
  return status === 'unauthenticated' ? status : 'disabled';
}

function accountOf(row: ConnectionRow, owner: Account['owner'], actingUser: string | undefined): Account {
  const credentials = readCredentials(row.credentials);
  return Object.freeze<Account>({
    id: row.id,
    owner,
    ...(row.region === null ? {} : { region: row.region }),
    ...(row.base_url === null ? {} : { baseUrl: row.base_url }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(actingUser === undefined ? {} : { actingUser }),
  });
}
