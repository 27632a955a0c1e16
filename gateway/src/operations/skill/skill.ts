import type { SecretReference } from '../credential-settings.ts';
import type { Json } from '../json/json.ts';

/** How tools of skills run. `permissive`: as they are; `balanced`: a person agrees to what is risky; `strict`: isolated or not at all. */
export type SkillMode = 'permissive' | 'balanced' | 'strict';

/** How often one call of a skill's tool is attempted, and the pause before the next time. */
export interface SkillRetry {
  /** 1 to 6. */
  readonly maxAttempts: number;
  /** Before the second attempt, doubled before each further one. */
  readonly backoffMs: number;
}

/** What tools of skills have in common: which package, in which content. */
interface SkillInvocation {
  /** Id of the skill: its name. */
  readonly skill: string;
  /** `sha256:` over every file of the package that matters; the call runs on exactly this content. */
  readonly version: string;
  readonly retry: SkillRetry;
  /** Milliseconds that one attempt may take. */
  readonly timeoutMs: number;
  /** Declared by its manifest. A script without it gets no network where it is isolated. */
  readonly network: boolean;
}

/** A program of a skill. Templates are texts with `{{args.…}}`; `templates/` reads them. */
export interface ScriptInvocation extends SkillInvocation {
  readonly kind: 'script';
  /** Path within the package, with `/`. */
  readonly entry: string;
  /** What runs the entry; absent: it is executed itself. */
  readonly interpreter?: ScriptInterpreter;
  /** In order. Absent with `stdin` and `stdinText` absent: the arguments go to stdin as JSON. */
  readonly args?: readonly ScriptArgument[];
  /** A value with templates at its leaves, sent as JSON. */
  readonly stdin?: Json;
  /** One template, sent as text as it is. Never beside `stdin`. */
  readonly stdinText?: string;
  /** Environment variables, values as templates; `{{secrets.NAME}}` is allowed here. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A text is one template and becomes exactly one argument. A list is an optional group: left out whole while an
 * argument in it is missing. `flag` stands there while the argument that `when` names (`args.json`) is true, or is a
 * list with items. `each` names a list (`args.files`): every item of it becomes one argument, `flag` before each.
 */
export type ScriptArgument =
  | string
  | readonly string[]
  | { readonly flag: string; readonly when: string }
  | { readonly each: string; readonly flag?: string };

export type ScriptInterpreter = 'sh' | 'bash' | 'python3' | 'node';

/** An HTTP request of a skill, written as templates that are encoded by where they stand. */
export interface TemplateInvocation extends SkillInvocation {
  readonly kind: 'template';
  readonly method: string;
  readonly url: string;
  /** `{{secrets.NAME}}` is allowed here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
}

/** What calls of skills are governed by: `policy.skills`, complete. */
export interface SkillPolicy {
  /** `DYNAMIC_SKILL_TOOLS_ENABLED`. Off: skills are read, their tools are not there. */
  readonly enabled: boolean;
  readonly mode: SkillMode;
  /** Without an effective skill: the tools of all skills are visible, or of none. */
  readonly visible: 'all' | 'selected';
  /** Roles that see tools of skills at all; absent: everybody. */
  readonly roles?: readonly string[];
  /** Skill of a role, where none is asked for. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Skills that a role may ask for, as names with `*`; a role that is not named may ask for any. */
  readonly permitted: Readonly<Record<string, readonly string[]>>;
  /** Programs beside the interpreters that run without asking, by file name. */
  readonly programs: readonly string[];
  /** So many calls of a tool in a row that failed after all attempts make it pause. */
  readonly degradeAfter: number;
  /** How long it pauses, milliseconds; doubled each time, at most `maxCoolDownMs`. */
  readonly coolDownMs: number;
  readonly maxCoolDownMs: number;
}

export const DEFAULT_SKILL_POLICY: SkillPolicy = Object.freeze({
  enabled: true,
  mode: 'balanced',
  visible: 'all',
  defaults: {},
  permitted: {},
  programs: [],
  degradeAfter: 3,
  coolDownMs: 30_000,
  maxCoolDownMs: 300_000,
});

/** The system's defaults of the manifest format, and its bounds (seed 004 §3.2, §6.3). */
export const SKILL_LIMITS = Object.freeze({
  timeoutMs: 20_000,
  maxTimeoutMs: 600_000,
  attempts: 3,
  maxAttempts: 6,
  backoffMs: 300,
  /** Of each single pause. */
  maxBackoffMs: 5_000,
  outputCharacters: 60_000,
  httpBytes: 2 * 1024 * 1024,
});

/** The pause before attempt `next` (2 is the first repetition), milliseconds. */
export function backoffBefore(next: number, { backoffMs }: SkillRetry): number {
  return Math.min(backoffMs * 2 ** (next - 2), SKILL_LIMITS.maxBackoffMs);
}

/** A secret that skills may refer to as `{{secrets.NAME}}`. */
export interface SkillSecret {
  readonly value: SecretReference;
  /** Skills that may use it; `*` for all. */
  readonly skills: readonly string[];
  /** Origins of HTTP requests that may carry it; absent: scripts only. */
  readonly origins?: readonly string[];
}

/** `sources: { NAME: { skills: … } }`, complete. Paths are absolute. */
export interface SkillSettings {
  /** Folders of skills, lowest precedence first; imports go to the first. */
  readonly roots: readonly string[];
  readonly secrets: Readonly<Record<string, SkillSecret>>;
}
