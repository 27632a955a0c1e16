import type { CompiledSkill } from '../sources/skill/snapshot.ts';

/** A skill with what the gateway knows about it beside its content. */
export interface KnownSkill extends CompiledSkill {
  /** Tools that another source's tool of the same name stands before. */
  readonly shadowed: readonly string[];
  /** Folders of skills of its name in roots below its own. */
  readonly overrides: readonly string[];
  /** Its folder cannot be used as it is now: this is the last version that could. */
  readonly stale?: { readonly message: string; readonly location?: string };
  /** Where `dynamic_tools.json`, `.lock.json` and `.report.json` were written; not the skill's folder where that is read-only. */
  readonly artifacts: string;
}

/** One version of a package, frozen: nothing changes it while it is open. */
export interface OpenedSkill {
  /** Absolute; holds exactly the files of that version. */
  readonly folder: string;
  /** Ends the lease. */
  release(): void;
}

/** What to import. */
export type SkillImportSource =
  /** A folder, a .zip, .tar, .tar.gz or .tgz file, absolute. */
  | { readonly kind: 'path'; readonly path: string }
  /** An archive, or a git repository: `https://host/owner/repo.git#ref:folder`. */
  | { readonly kind: 'url'; readonly url: string }
  /** An archive's bytes, or a SKILL.md alone. */
  | { readonly kind: 'bytes'; readonly name: string; readonly bytes: Uint8Array };

export interface SkillImportOptions {
  /** Replaces a good skill even by one that is worse. */
  readonly force?: boolean;
  /** Only these skills of a package with several. */
  readonly only?: readonly string[];
}

/** One skill that was imported, or why it was not. */
export interface ImportedSkill {
  readonly id: string;
  readonly version: string;
  readonly previous?: string;
  /** Folder of a skill of this name that counts instead, in a higher root. */
  readonly overridden_by?: string;
  /** Why it was not imported, though others of the package were; all numbers are 0 and `version` is empty. */
  readonly refused?: { readonly code: string; readonly message: string; readonly location?: string };
  readonly compiled_ok: number;
  readonly invalid_tools: number;
  readonly shadowed_tools: number;
  readonly invalid: CompiledSkill['invalid'];
  readonly shadowed: readonly string[];
}

export interface SkillImport {
  readonly skills: readonly ImportedSkill[];
  /** What was left out of the package, or is not as safe as it could be. */
  readonly findings?: readonly string[];
  /** Sums. */
  readonly compiled_ok: number;
  readonly invalid_tools: number;
  readonly shadowed_tools: number;
}

export interface SkillVersion {
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
  readonly tools: number;
  readonly current: boolean;
}

/** The live side of one source of kind `skills`. */
export interface SkillRoom {
  /** Reads every folder and answers with the file that holds the snapshot. Rejects with `cancelled`. */
  prepare(signal: AbortSignal): Promise<string>;
  /**
   * Compares files with what is known, of one skill or of all, and has the source compiled again where they differ;
   * undefined where nothing differs. Resolves when the catalog has what is there now.
   */
  freshen(skill?: string): Promise<void> | undefined;
  /** Sorted by id; the same array while nothing changed. */
  list(): readonly KnownSkill[];
  get(id: string): KnownSkill | undefined;
  /** Throws `skill_unknown` where that version is gone. */
  open(id: string, version: string): Promise<OpenedSkill>;
  /** One file of the current version. Throws `skill_unknown`, `resource_unknown`. */
  read(id: string, path: string): Promise<Uint8Array>;
  /** Throws `archive_refused`, `skill_invalid`, `skill_import_refused`, and what the egress door throws. */
  import(source: SkillImportSource, options: SkillImportOptions, signal: AbortSignal): Promise<SkillImport>;
  /** Takes an imported skill out of the first root. Throws `skill_unknown`, `skill_import_refused`. */
  remove(id: string): Promise<void>;
  /** Newest first. */
  versions(id: string): Promise<readonly SkillVersion[]>;
  /** Puts an earlier version in the place of the imported one. */
  restore(id: string, version: string): Promise<ImportedSkill>;
  /** Tools of other sources may have changed: which of ours are shadowed is worked out again. */
  recheck(): void;
  close(): Promise<void>;
}
