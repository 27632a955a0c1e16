import type { Environment } from '../../config/index.ts';

export interface ClientPlace {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly cwd: string;
}

/** An MCP client whose configuration file `connect` can write. */
export interface Client {
  readonly title: string;
  /** The user's own configuration file; absolute. */
  userFile(place: ClientPlace): string;
  /** The configuration of one project folder, where the client has such a thing. */
  projectFile?(place: ClientPlace): string;
  /** Absent: JSON, with or without comments. */
  readonly format?: 'toml';
  /** The key that holds the servers. */
  readonly key: 'mcpServers' | 'servers' | 'mcp_servers';
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
