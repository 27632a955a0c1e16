import type { ConfigurationOverrides } from './command-line/overrides.ts';
import type { Environment } from './directories.ts';

/** Where a configuration comes from, and what this program has registered. */
export interface ConfigurationContext {
  readonly env: Environment;
  /** Relative paths are relative to it. */
  readonly baseDirectory: string;
  readonly file?: string;
  /** Source kinds; default: those of this version. */
  readonly kinds?: readonly string[];
  readonly topologies?: readonly string[];
  readonly overrides?: ConfigurationOverrides;
  /** Line of a key in the file. */
  readonly lineOf?: (path: readonly PropertyKey[]) => number | undefined;
}
