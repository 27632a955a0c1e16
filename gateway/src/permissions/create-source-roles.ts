import type { Account, Connection } from '../operations/index.ts';
import { credentialHash, type ProbeRequestParts, sendProbe } from './probe-request.ts';
import { createRoleProbe, type RoleProbe } from './role-probe.ts';

/** How a configured source is asked for roles. */
export interface SourceProbe {
  /** Below the base URL. */
  readonly path: string;
  /** JSON Pointer to the list of roles. */
  readonly roles: string;
  readonly ttlMs: number;
  readonly timeoutMs: number;
}

export interface SourceRolesParts extends ProbeRequestParts {
  /** Undefined: the source is not asked. Read at every use: the configuration is live. */
  readonly probe: (source: string) => SourceProbe | undefined;
  /** The connection that calls of this account go to. Throws where the source is gone. */
  readonly connection: (source: string, account: Account | undefined) => Connection;
  /** Where the connection names no base URL: the document's own. */
  readonly baseUrl?: (source: string, connection: Connection) => string | undefined;
  readonly now?: () => number;
}

/** Roles of the accounts of configured sources, asked for with their own credentials. */
export function createSourceRoles({
  egress,
  credentials,
  probe,
  connection,
  baseUrl,
  now,
}: SourceRolesParts): RoleProbe {
  return createRoleProbe({
    settings(source) {
      const settings = probe(source);
      return settings === undefined ? undefined : { ...settings, request: `GET ${settings.path}` };
    },
    credential: (source, account) => credentialHash(connection(source, account)),
    async send(source, account, signal) {
      const { path, timeoutMs } = probe(source)!;
      const to = connection(source, account);
      const base = to.baseUrl ?? baseUrl?.(source, to);
      const target = { connection: to, path, timeoutMs, ...(base === undefined ? {} : { baseUrl: base }) };
      return sendProbe({ egress, credentials }, target, signal);
    },
    ...(now === undefined ? {} : { now }),
  });
}
