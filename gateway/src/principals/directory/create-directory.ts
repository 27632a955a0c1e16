import { createAccessRecords } from '../access/create-access-records.ts';
import { createActingUsers } from './acting-users.ts';
import { createConnections } from './connections.ts';
import type { Directory, DirectoryOptions } from './directory.ts';
import { createContext } from './directory-context.ts';
import { createKeys } from './keys.ts';
import { createLevels } from './levels.ts';
import { createOrganisations } from './organisations.ts';
import { createRoles } from './roles.ts';
import { createUsers } from './users.ts';

/** The records of a store behind the rules of who may see and change them. */
export function createDirectory(options: DirectoryOptions): Directory {
  const context = createContext(options);
  return Object.freeze({
    organisations: createOrganisations(context),
    users: createUsers(context),
    roles: createRoles(context),
    keys: createKeys(context),
    levels: createLevels(context),
    connections: createConnections(context),
    actingUsers: createActingUsers(context),
    access: createAccessRecords(context),
  });
}
