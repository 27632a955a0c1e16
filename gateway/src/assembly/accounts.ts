import type { Catalog } from '../catalog/catalog.ts';
import type { Configuration } from '../config/configuration.ts';
import { ToolcribError } from '../errors.ts';
import type { Account, Connection, Grants } from '../operations/index.ts';
import { accountConnection } from './connections.ts';

/**
 * The connection that a call goes to: the account that the grants name, else the configuration's. Made once for each
 * account and state of the source. Throws `source_unknown`, and `configuration_invalid` for an unknown region.
 */
export function createAccounts(
  catalog: () => Catalog,
  configuration: Configuration,
): (source: string, grants: Grants) => Connection {
  const connectionTo = createAccountConnections(catalog, configuration);
  return (source, grants) => connectionTo(source, grants.source(source)?.account);
}

/** The same by the account itself; undefined: the configuration's. */
export function createAccountConnections(
  catalog: () => Catalog,
  { sources }: Configuration,
): (source: string, account: Account | undefined) => Connection {
  const made = new WeakMap<Connection, WeakMap<Account, Connection>>();
  return (source, account) => {
    const current = catalog();
    const base = current.connection(source);
    if (base === undefined) {
      throw new ToolcribError('source_unknown', `Source ${source} is no longer configured.`);
    }
    const configured = sources[source];
    if (account === undefined || configured === undefined) return base;
    const accounts = made.get(base) ?? new WeakMap<Account, Connection>();
    made.set(base, accounts);
    let connection = accounts.get(account);
    if (connection === undefined) {
      const provider = current.sources.find(({ name }) => name === source)?.provider;
      connection = accountConnection(base, account, configured, provider);
      accounts.set(account, connection);
    }
    return connection;
  };
}
