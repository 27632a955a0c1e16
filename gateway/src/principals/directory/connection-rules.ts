import { ToolcribError } from '../../errors.ts';
import { includesCredentials } from '../../operations/http/includes-credentials.ts';
import type { ConnectionCredentials } from '../../operations/index.ts';
import type { SourceAccess } from '../../policy/source-access.ts';
import { type Actor, checkOperator } from './actor.ts';
import type { ConnectionChanges, DirectoryOptions } from './directory.ts';

/** Whose account a connection is. */
export interface ConnectionOwner {
  readonly organisation: string;
  /** Null: the organisation's. */
  readonly user: string | null;
  /** By its name. */
  readonly source: string;
}

/** The source that a connection is made for. Throws `record_invalid` where accounts are not connected one by one. */
export function connectableSource(
  sources: Readonly<Record<string, SourceAccess>>,
  name: string,
): SourceAccess {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (source === undefined) throw invalid(`There is no source "${name}".`, '/source');
  if (source.connections === 'records') return source;
  throw invalid(`Source ${name} has one account, which the configuration names, for everybody.`, '/source');
}

/**
 * A user's own account in Nango is called `{user}:{provider}` where nothing else is named: what programs that open
 * Nango's page for a user call it.
 */
export function withConventionalId<C extends ConnectionChanges>(
  changes: C,
  { user }: ConnectionOwner,
  provider: string,
): C {
  const { credentials } = changes;
  if (user === null || credentials == null || credentials === 'none') return changes;
  const { nango } = credentials;
  if (nango === undefined || nango.connection !== undefined) return changes;
  return {
    ...changes,
    credentials: { ...credentials, nango: { ...nango, connection: `${user}:${provider}` } },
  };
}

/**
 * What a connection may say, by who says it. A region is one of the provider's. Where a credential is sent, and
 * which one it is, is the operator's to say; others may only name a Nango connection that is their own: else
 * one organisation could use the tokens of another, or secrets of this machine.
 */
export async function checkConnection(
  actor: Actor,
  owner: ConnectionOwner,
  source: SourceAccess | undefined,
  { region, baseUrl, credentials }: ConnectionChanges,
  owns: DirectoryOptions['ownsNangoConnection'],
): Promise<void> {
  if (region != null && source?.regions?.includes(region) !== true) {
    const known = source?.regions?.join(', ');
    const which = known ? `the regions are: ${known}` : 'this provider has none';
    throw invalid(`There is no region "${region}"; ${which}.`, '/region');
  }
  if (baseUrl != null) {
    checkOperator(actor, 'say where the requests of a connection go');
    if (includesCredentials(new URL(baseUrl))) throw invalid('A base URL holds no credential.', '/baseUrl');
  }
  if (credentials != null && actor.kind === 'user') {
    await checkOwnCredentials(actor.id, owner, source, credentials, owns);
  }
}

async function checkOwnCredentials(
  asking: string,
  owner: ConnectionOwner,
  source: SourceAccess | undefined,
  credentials: ConnectionCredentials,
  owns: DirectoryOptions['ownsNangoConnection'],
): Promise<void> {
  const nango = credentials === 'none' ? undefined : credentials.nango;
  const onlyNango = Object.keys(credentials).every((member) => member === 'nango');
  if (nango === undefined || !onlyNango) {
    throw invalid('Only the operator may name a credential other than a Nango connection.', '/credentials');
  }
  const { integration, connection, ...others } = nango;
  if (Object.keys(others).length > 0) {
    throw invalid("Where Nango is and its key are the operator's to say.", '/credentials/nango');
  }
  const own = source?.integration;
  if (own === undefined)
    throw invalid(
      'Accounts of this source are not kept in Nango: the operator records them.',
      '/credentials/nango',
    );
  if (integration !== own)
    throw invalid(`The integration of this source is ${own}.`, '/credentials/nango/integration');
  if (connection === undefined) throw invalid('Name the connection.', '/credentials/nango/connection');
  if (connection.startsWith(`${owner.user ?? asking}:`)) return;
  if ((await owns?.(nango, { ...owner, asking })) === true) return;
  throw invalid('This connection is not known to be theirs.', '/credentials/nango/connection');
}

function invalid(message: string, pointer: string): ToolcribError {
  return new ToolcribError('record_invalid', message, { pointer });
}
