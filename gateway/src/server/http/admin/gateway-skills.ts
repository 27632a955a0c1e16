import type { Principal } from '../../../operations/index.ts';
import type {
  ImportedSkill,
  SkillImport,
  SkillImportOptions,
  SkillImportSource,
  SkillVersion,
} from '../../../skills/room.ts';

/** One skill as lists show it. */
export interface ListedSkill {
  readonly id: string;
  /** Name of the source that it belongs to. */
  readonly source: string;
  readonly description: string;
  readonly version: string;
  /** Names of the tools that it brings, as they are declared; what stands in `shadowed` is among them. */
  readonly tools: readonly string[];
  readonly invalid: ReadonlyArray<{
    readonly place: string;
    readonly name?: string | undefined;
    readonly error: string;
  }>;
  /** Tools that another source's tool of the same name stands before. */
  readonly shadowed: readonly string[];
  /** Why its folder cannot be used as it is now: this is the last version that could. */
  readonly stale?: string;
  /** How many skills of its name it stands before. */
  readonly overridden: number;
}

/** What is known of one skill beside. */
export interface SkillDetail extends ListedSkill {
  readonly license?: string;
  readonly compatibility?: string;
  readonly files: ReadonlyArray<{ readonly path: string; readonly bytes: number; readonly sha256: string }>;
  /** Of the front matter and of manifests; costs nothing. */
  readonly findings: readonly string[];
  /** For those who run the gateway: where it lies. */
  readonly folder?: string;
}

/**
 * Skills of the gateway, for its HTTP side. Lists show what the principal may see; who may change anything was checked
 * by the route.
 */
export interface GatewaySkills {
  list(principal: Principal): Promise<readonly ListedSkill[]>;
  /** Throws `skill_unknown`, for one that the principal may not see as well. */
  get(id: string, principal: Principal): Promise<SkillDetail>;
  import(
    source: SkillImportSource,
    options: SkillImportOptions,
    signal: AbortSignal,
    principal: Principal,
  ): Promise<SkillImport>;
  /** Throws `skill_unknown`, `skill_import_refused`. */
  remove(id: string, principal: Principal): Promise<void>;
  /** Newest first. Throws `skill_unknown`. */
  versions(id: string, principal: Principal): Promise<readonly SkillVersion[]>;
  /** Throws `skill_unknown`. */
  restore(id: string, version: string, principal: Principal): Promise<ImportedSkill>;
}
