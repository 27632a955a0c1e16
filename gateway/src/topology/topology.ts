import type { ToolcribError } from '../errors.ts';
import type {
  CompletedResult,
  Json,
  JsonObject,
  OperationHit,
  OperationQuery,
  PublishedTool,
  ResolvedCall,
  StoredQuery,
  TopologyOptions,
  VisibleOperation,
} from '../operations/index.ts';

/** A source with operations in a set. */
export interface SourceFacts {
  readonly name: string;
  readonly kind: string;
  /** Its description in one sentence, where it has one. */
  readonly title?: string;
}

/** The operations that a principal may call, sorted by tool name, and what can be asked of them. Nothing else is reachable through it. */
export interface OperationSet {
  readonly operations: readonly VisibleOperation[];
  readonly sources: readonly SourceFacts[];
  /** Names that other tools of the same list have. */
  readonly taken?: ReadonlySet<string>;
  /** By key (`source/id`), by tool name, or by an id that one source alone has. */
  find(name: string): VisibleOperation | undefined;
  /** Best first; ties by tool name. */
  search(query: OperationQuery, signal?: AbortSignal): Promise<readonly OperationHit[]>;
  /** Roles of the principal on a source, upper case. */
  roles(source: string): readonly string[];
}

/** What a topology's own tool may use while it is called. */
export interface ToolContext {
  readonly signal: AbortSignal;
  /** True the first time within 30 minutes that this principal and client is shown an operation's hints. */
  firstShown(operation: string): boolean;
  /** Adds found operations to the caller's list, where its client follows lists. True: they are or will be listed. */
  activate(operations: readonly string[]): Promise<boolean>;
  /** Makes this skill the one whose tools the caller sees; undefined: none in particular. Gives the one that counts. */
  selectSkill?(skill: string | undefined): Promise<string | undefined>;
  /** Rows of a stored answer of this principal. Throws `response_unknown`, `filter_invalid`. */
  queryStored(query: StoredQuery): Promise<CompletedResult>;
}

/** What the gateway itself answers: a list, a description, rows of a stored answer. */
export interface OwnAnswer {
  readonly kind: 'answer';
  readonly text: string;
  readonly structured?: Json;
}

/** A topology's own tool: it reaches several operations, or says something about them. */
export interface TopologyTool extends PublishedTool {
  /** Keys of the operations that calls of it can lead to. */
  readonly reaches: readonly string[];
  /** Throws `arguments_invalid`, `operation_unknown`. Arguments were checked against the input schema. */
  resolve(args: JsonObject, context: ToolContext): Resolution | Promise<Resolution>;
  /** What is wrong with arguments, where the words of the input schema would not lead to the right call. */
  advise?(args: JsonObject, context: ToolContext): Promise<ToolcribError | undefined>;
}

/** An answer that is a result already: rows of a stored one. */
export interface OwnResult {
  readonly kind: 'result';
  readonly result: CompletedResult;
}

export type Resolution = ResolvedCall | OwnAnswer | OwnResult;

/** Turns what a principal may call into what a client sees. Pure: the same set gives the same tools. */
export interface Topology {
  readonly name: string;
  /** Answers of calls through it are shaped by default. */
  readonly shapes: boolean;
  /** Operations that a caller found are added to its list; the others stay as small as they are. */
  readonly keepsFound?: boolean;
  publish(set: OperationSet, options: TopologyOptions): readonly PublishedTool[];
}

export function isTopologyTool(tool: PublishedTool): tool is TopologyTool {
  return 'resolve' in tool && 'reaches' in tool;
}
