import type { Access, Diagnostic, JsonObject, Skipped } from '../../../operations/index.ts';

/** `stale`: the last good tools are served; `failing`: there are none; `paused`: switched off. */
export type SourceHealth = 'ok' | 'stale' | 'failing' | 'starting' | 'paused';

/** What went wrong, as errors are told everywhere. */
export interface SourceFault {
  readonly code: string;
  readonly message: string;
  readonly next: string;
  readonly pointer?: string;
  readonly location?: string;
}

/** One configured source as it is now. */
export interface SourceState {
  readonly name: string;
  readonly kind: string;
  readonly health: SourceHealth;
  /** Of what was read; absent: nothing was yet. */
  readonly fingerprint?: string;
  /** Compiled operations, those that wait for a person included. */
  readonly operations: number;
  /** Operations that can be published. */
  readonly tools: number;
  /** Operations that did not become tools. */
  readonly skipped: number;
  readonly diagnostics: { readonly error: number; readonly warning: number; readonly info: number };
  /** Tools that differ from the lock: those that wait for a person, and those that one refused. */
  readonly drift: { readonly waiting: number; readonly rejected: number };
  readonly stale?: { readonly since: string; readonly message: string };
  /** `run`: added for this run only; `file`: stands in the configuration file; `start`: given when it started. */
  readonly origin: 'file' | 'run' | 'start';
  /** What is read: a path, a URL without its query, a command without its arguments. */
  readonly place?: string;
  /** ISO 8601, UTC. */
  readonly triedAt?: string;
  readonly readAt?: string;
  /** Milliseconds of the last attempt. */
  readonly durationMs?: number;
  readonly error?: SourceFault;
  /** Calls that would end as `credentials_missing`, counted among the operations that were looked at. */
  readonly lacks?: {
    readonly calls: number;
    readonly of: number;
    readonly message: string;
    readonly next: string;
  };
  readonly provider?: { readonly name: string; readonly displayName: string; readonly category: string };
  /** The process of an upstream server, or the connection to it. */
  readonly upstream?: {
    readonly status: 'idle' | 'starting' | 'running' | 'waiting' | 'failed' | 'stopped';
    readonly restarts: number;
    readonly pid?: number;
    readonly lastError?: string;
    readonly retryInMs?: number;
  };
}

export interface CompiledTool {
  readonly tool: string;
  readonly operation: string;
  readonly access: Access;
  readonly method?: string;
  readonly path?: string;
  readonly withheld: boolean;
}

/** A tool that differs from the lock. */
export interface DriftChange {
  readonly tool: string;
  readonly kind: 'added' | 'changed' | 'removed';
  /** Listed nowhere, called never. */
  readonly withheld: boolean;
  readonly rejected?: { readonly at: string; readonly reason?: string };
  /** Of the definition that is there now; absent where it is gone. Given back when it is accepted. */
  readonly hash?: string;
  /** What differs: member by member, `before` absent where it is new, `after` where it is gone. Canonical JSON, cut. */
  readonly differences: ReadonlyArray<{
    readonly path: string;
    readonly before?: string;
    readonly after?: string;
  }>;
}

/** Everything about one source. */
export interface SourceReport {
  readonly source: SourceState;
  /** At most 5,000, by name. */
  readonly compiled: readonly CompiledTool[];
  /** At most 2,000. */
  readonly skipped: readonly Skipped[];
  /** At most 2,000, errors first. */
  readonly diagnostics: readonly Diagnostic[];
  readonly drift: readonly DriftChange[];
  /** Where its calls go, where they all go to one place. */
  readonly baseUrl?: string;
  /** What the configuration file says; absent where it holds a secret as text, or no file names it. */
  readonly entry?: SourceEntry;
}

/** A source as its configuration file has it. */
export interface SourceEntry {
  readonly section: 'sources' | 'mcpServers';
  /** As it is written there: other clients' names of servers may be no names of sources. */
  readonly name: string;
  readonly value: JsonObject;
  /** The same as YAML. */
  readonly yaml: string;
}

/** A source as `sources:` or `mcpServers:` takes it, and where it is to be kept. */
export interface SourceChange {
  readonly section: 'sources' | 'mcpServers';
  readonly name: string;
  readonly entry: JsonObject;
  /** `file`: in the configuration file; `run`: until the gateway stops. */
  readonly keep: 'file' | 'run';
  /** The file as it was looked at; needed to write it. */
  readonly revision?: string;
  /** There may be a source of this name: it becomes this one. */
  readonly replace?: boolean;
}

export type SourceRemoval = Pick<SourceChange, 'name' | 'keep' | 'revision'>;

/** What a change does to the configuration file. */
export interface FileChange {
  readonly path: string;
  /** To be given back when it is written. */
  readonly revision: string;
  /** 1-based line of the first that differs. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** What a change would do, or did. */
export interface SourcePlan {
  readonly name: string;
  readonly applied: boolean;
  /** The entry as YAML. */
  readonly yaml: string;
  readonly file?: FileChange;
  /** Variables that the entry reads, and whether the gateway has them. */
  readonly environment: ReadonlyArray<{ readonly name: string; readonly set: boolean }>;
  /** What became of it when it was read for a try. */
  readonly trial?: SourceTrial;
  /** Counts from the next start only. */
  readonly afterRestart: readonly string[];
}

/** A source that was read once, beside the running gateway. */
export interface SourceTrial {
  readonly error?: SourceFault;
  readonly operations: number;
  /** At most 500. */
  readonly tools: readonly CompiledTool[];
  /** At most 200. */
  readonly skipped: readonly Skipped[];
  readonly skippedCount: number;
  /** At most 200, errors first. */
  readonly diagnostics: readonly Diagnostic[];
  readonly baseUrl?: string;
  /** Its tools that another source has already: they would not be published. */
  readonly taken: readonly string[];
}

/** What a person can choose from. */
export interface SourceOptions {
  readonly kinds: readonly string[];
  /** Shipped manifests. */
  readonly providers: readonly string[];
  readonly presets: readonly string[];
  /** Where a change can be kept; absent: for this run only. */
  readonly file?: { readonly path: string; readonly writable: boolean };
  /** Bytes of one uploaded document. */
  readonly maxDocumentBytes: number;
  /** Names of sources of skills, which imported ones go to. */
  readonly skills: readonly string[];
}

export interface KeptDocument {
  /** Absolute; for `openapi:`. */
  readonly path: string;
  readonly bytes: number;
  /** What the source may be called. */
  readonly name: string;
}

/** Sources: how they are, and what their owner changes about them. */
export interface GatewaySources {
  /** In the order of the configuration. */
  list(): Promise<readonly SourceState[]>;
  /** Throws `source_unknown`. */
  report(name: string): Promise<SourceReport>;
  /** Reads it again. Throws `source_unknown`; that it could not be read is in the state. */
  refresh(name: string): Promise<SourceState>;
  options(): Promise<SourceOptions>;
  /**
   * Adds or changes a source; with `dryRun` it is read once beside the gateway and nothing changes. Throws
   * `configuration_invalid` with a pointer into the entry, `record_conflict` for a name that is taken and for a file
   * that changed meanwhile.
   */
  save(change: SourceChange, dryRun: boolean, signal: AbortSignal): Promise<SourcePlan>;
  /** Calls under way end as they began. Throws `source_unknown`, `record_conflict`. */
  remove(removal: SourceRemoval, dryRun: boolean): Promise<Pick<SourcePlan, 'name' | 'applied' | 'file'>>;
  /** Keeps a document of the owner in the state directory. Throws `body_too_large`, `source_invalid`. */
  keepDocument(content: ReadableStream<Uint8Array> | null, filename: string): Promise<KeptDocument>;
}
