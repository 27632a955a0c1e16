import type { ConnectionCredentials } from '../operations/index.ts';

/** The validated configuration, defaults filled in. Paths are absolute. */
export interface Configuration {
  readonly name: string;
  readonly topology: 'flat';
  /** Folder of the configuration file, or the working directory. */
  readonly baseDirectory: string;
  /** State that survives restarts: lock, report, cache, artifacts. */
  readonly stateDirectory: string;
  readonly sources: Readonly<Record<string, SourceConfiguration>>;
  readonly egress: { readonly allow: readonly string[] };
  readonly lock: LockConfiguration;
  readonly output: { readonly strict: boolean; readonly schemas: boolean };
  readonly server: ServerConfiguration;
  /** Schema profile for clients: `portable` keeps `$defs`; `no-refs` inlines and cuts recursion at depth 4. */
  readonly schemaProfile: 'portable' | 'no-refs';
  readonly watch: boolean;
  readonly cache: boolean;
}

export interface LockConfiguration {
  /** What happens to a tool whose definition differs from the lock. */
  readonly mode: 'accept' | 'warn' | 'quarantine';
  readonly file: string;
  readonly report: string;
}

export interface ServerConfiguration {
  readonly host: string;
  readonly port: number;
  /** Bearer token; required as soon as the host is not loopback. */
  readonly token?: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  readonly drainMs: number;
}

/** One entry of `sources:`: the kind's own settings, and what every kind shares. */
export interface SourceConfiguration {
  readonly kind: string;
  /** Validated by the kind's own schema. */
  readonly settings: unknown;
  /** `none`: tool names carry no source prefix. Default: the source's name. */
  readonly prefix: string | 'none';
  readonly baseUrl?: string;
  readonly serverVariables?: Readonly<Record<string, string>>;
  readonly credentials?: ConnectionCredentials;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly maxAttempts?: number;
  readonly concurrency?: number;
  readonly maxTextLength?: number;
  readonly access: readonly AccessRule[];
  readonly include: readonly OperationSelector[];
  readonly exclude: readonly OperationSelector[];
}

/** Picks operations; every part that is given must match. `path` is a glob over the document's path key. */
export interface OperationSelector {
  readonly operation?: string;
  readonly tag?: string;
  readonly path?: string;
  readonly method?: string;
}

/** The last matching rule wins. A `dangerous` operation can be re-classed only by naming its operation id, to `delete`. */
export type AccessRule = OperationSelector & { readonly access: 'read' | 'write' | 'delete' | 'dangerous' };
