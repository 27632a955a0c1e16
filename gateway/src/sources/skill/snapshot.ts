import type {
  Access,
  Diagnostic,
  JsonObject,
  JsonSchema,
  ScriptInvocation,
  TemplateInvocation,
} from '../../operations/index.ts';

/** A file of a skill that matters: everything but what Toolcrib writes, version control and caches. */
export interface SkillFile {
  /** Within the package, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  /** Its run bit is set. */
  readonly executable?: true;
}

/** One tool of a manifest, every alias resolved and every default filled in. */
export interface CompiledSkillTool {
  /** As declared. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly input: JsonSchema;
  /** Of the object that it answers with: what it prints, the data of `{ ok, data }`. */
  readonly output?: JsonSchema;
  /**
   * Declared, else `write`, or `delete` where its name says so: what a program does cannot be seen from outside. A GET
   * is `read`.
   */
  readonly access: Exclude<Access, 'dangerous'>;
  /** It is a `write` because nobody said what it is. */
  readonly destructiveUnknown?: true;
  readonly idempotent: boolean;
  /** `skill` and `version` are filled in by the package. */
  readonly invocation: ScriptInvocation | TemplateInvocation;
  /** File and line: `tool-manifest.yaml:12`. */
  readonly place: string;
}

/** A tool that is not there, and why. */
export interface InvalidSkillTool {
  /** File and line, within the package. */
  readonly place: string;
  readonly name?: string;
  readonly error: string;
  /** Id of the finding: `skill-tool-executor`. */
  readonly code?: string;
}

/** One skill in one content. Values only. */
export interface CompiledSkill {
  /** The name of its front matter; the folder's where that differs and is valid is not taken. */
  readonly id: string;
  readonly description: string;
  /** `sha256:` over path, run bit and content of its files, sorted by path: where the folder lies does not count. */
  readonly version: string;
  /** Absolute. */
  readonly folder: string;
  /** The folder of skills that it was found in, absolute. */
  readonly root: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly allowedTools?: readonly string[];
  /** Every member of the front matter as it is written. */
  readonly frontMatter: JsonObject;
  readonly files: readonly SkillFile[];
  readonly tools: readonly CompiledSkillTool[];
  readonly invalid: readonly InvalidSkillTool[];
  /** Findings that cost nothing: warnings about the front matter, unknown keys. Locations are absolute. */
  readonly findings: readonly Diagnostic[];
}

/** Everything that is known of the skills of one source, as it lies on disk between room and source. */
export interface SkillSnapshot {
  /** Sorted by id. */
  readonly skills: readonly CompiledSkill[];
  /** Skills that another of their name stands before. */
  readonly overridden: ReadonlyArray<{
    readonly id: string;
    readonly folder: string;
    /** Folder of the one that counts. */
    readonly by: string;
  }>;
  /** Folders that hold no usable skill. `kept`: its last good version still serves. */
  readonly problems: ReadonlyArray<{
    readonly folder: string;
    readonly message: string;
    readonly location?: string;
    readonly kept?: true;
  }>;
}
