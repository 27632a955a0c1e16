import type { ConnectionStatus, SkillGate } from '../operations/index.ts';

/** What access needs to know of a configured source; from the configuration and its provider's facts. */
export interface SourceAccess {
  /** Levels are set by it, e.g. `ats`. */
  readonly category: string;
  /** `shared`: everybody uses the configured account. `records`: organisations and users connect their own. */
  readonly connections: 'shared' | 'records';
  /** Where the configured account stands; default `connected`. Counts for `shared`, and for the local process. */
  readonly connection?: ConnectionStatus;
  /** What becomes of its tools while no account is connected. */
  readonly whenUnauthenticated: 'hide' | 'list';
  /** Names of the regions that a connection may choose from; absent: it has none. */
  readonly regions?: readonly string[];
  /** Nango's integration for this source; others than the operator can connect through no other. */
  readonly integration?: string;
  /** Whose API it is: an account that was connected for another provider is not sent there. */
  readonly provider?: string;
  /** Present for sources of skills. */
  readonly skills?: SkillGate;
}
