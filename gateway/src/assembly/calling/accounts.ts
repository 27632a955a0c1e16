import type { Catalog } from '../../catalog/catalog.ts';
import { ToolcribError } from '../../errors.ts';
import type { Account, Connection, Grants } from '../../operations/index.ts';
import { accountConnection, originOf } from '../connections.ts';

/**
 * The connection that a call goes to: the account that the grants name, else the configuration's, as the source was
 * when the call's operation was found (`base`), else as it is now. Made once for each account and state of the source.
 * Throws `source_unknown`, and `configuration_invalid` for an unknown region.
 */
export function createAccounts(
  catalog: () => Catalog,
): (source: string, grants: Grants, base?: Connection) => Connection {
  const connectionTo = createAccountConnections(catalog);
  return (source, grants, base) => connectionTo(source, grants.source(source)?.account, base);
}

/** The same by the account itself; undefined: the configuration's. */
export function createAccountConnections(
  catalog: () => Catalog,
): (source: string, account: Account | undefined, base?: Connection) => Connection {
  const made = new WeakMap<Connection, WeakMap<Account, Connection>>();
  return (source, account, base = catalog().connection(source)) => {
    if (base === undefined) {
      throw new ToolcribError('source_unknown', `Source ${source} is no longer configured.`);
    }
    const origin = originOf(base);
    if (account === undefined || origin === undefined) return base;
    const accounts = made.get(base) ?? new WeakMap<Account, Connection>();
    made.set(base, accounts);
    let connection = accounts.get(account);
    if (connection === undefined) {
      connection = accountConnection(base, account, origin);
      accounts.set(account, connection);
    }
    return connection;
  };
}
