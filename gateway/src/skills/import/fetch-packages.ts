import type { Diagnostic } from '../../operations/index.ts';
import type { SkillImportSource } from '../room.ts';

/** Skills that lie in a staging folder, ready to be compiled. */
export interface FetchedPackages {
  /** Absolute, sorted; each holds a SKILL.md, and plain files and folders only. */
  readonly folders: readonly string[];
  /** Where the package itself lies: places are told from there. Default: the staging folder. */
  readonly root?: string;
  /** What was left out, and what came in a doubtful way. */
  readonly findings: readonly Diagnostic[];
}

/**
 * Brings skills into `staging`, an empty folder of the caller's own, which the caller removes afterwards, whatever
 * happens. Rejects with `archive_refused`, `source_unreadable`, `cancelled`, and what the egress door refuses.
 */
export type FetchPackages = (
  source: SkillImportSource,
  staging: string,
  signal: AbortSignal,
) => Promise<FetchedPackages>;
