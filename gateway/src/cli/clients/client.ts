import type { Environment } from '../../config/index.ts';
import type { JsonObject } from '../../operations/index.ts';

export interface ClientPlace {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly cwd: string;
}

/** The one that is there, else the first. */
export type ClientFiles = readonly [string, ...string[]];

/** An MCP client whose configuration file `connect` can write. */
export interface Client {
  readonly title: string;
  /** The user's own configuration file under the names that the client reads; absolute. */
  userFiles(place: ClientPlace): ClientFiles;
  /** The configuration of one project folder, where the client has such a thing. */
  projectFiles?(place: ClientPlace): ClientFiles;
  /** Absent: JSON, with or without comments. */
  readonly format?: 'toml';
  /** The key that holds the servers. */
  readonly key: 'mcpServers' | 'servers' | 'mcp_servers' | 'context_servers' | 'mcp';
  /** An entry in the client's own words; absent: `command`, `args`, `env`. */
  readonly written?: (entry: StdioEntry) => JsonObject;
  /** What the client takes for the name of an entry; absent: anything. */
  readonly names?: RegExp;
  /** `type` is written for clients that ask for it. */
  readonly statesType: boolean;
  /** How an entry's `env` refers to a variable of the user's; absent: the client puts values only. */
  readonly variable?: (name: string) => string;
  /** The key that names variables which the client passes on to the program. */
  readonly passesOn?: 'env_vars';
  /** What the reader does after the file has changed. */
  readonly after: string;
}

/** How a client starts a server over stdio. */
export interface StdioEntry {
  readonly type?: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** References to variables, never their values. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of variables, for clients that pass them on. */
  readonly env_vars?: readonly string[];
}
