import type { Call, DynamicToolEvent, SkillPolicy } from '../../operations/index.ts';

/** Packages of skills, for those who run what is in them. */
export interface SkillPackages {
  /** One version, frozen until it is released. Throws `skill_unknown`. */
  open(source: string, skill: string, version: string): Promise<{ readonly folder: string; release(): void }>;
}

/** Values of `{{secrets.NAME}}`. Throws `credentials_missing`, `skill_forbidden`. */
export interface SkillSecrets {
  /**
   * @param origin of the request that carries it; undefined for a script
   */
  read(
    source: string,
    skill: string,
    name: string,
    origin: string | undefined,
    signal: AbortSignal,
  ): Promise<string>;
}

/** What executors of skills' tools share. */
export interface SkillParts {
  readonly packages: SkillPackages;
  readonly secrets: SkillSecrets;
  /** As it counts now. */
  readonly policy: () => SkillPolicy;
  /** Commits what became of an attempt. */
  readonly note: (event: DynamicToolEvent) => void;
  /** Tools that its caller has beside it, those that no skill brought first: their number, and a few names. */
  readonly remaining: (call: Call) => { readonly count: number; readonly names: readonly string[] };
}
