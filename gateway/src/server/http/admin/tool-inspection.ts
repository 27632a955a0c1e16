import type {
  Access,
  BudgetChoice,
  CallAgreement,
  Operation,
  OperationFacts,
  OperationHit,
  OperationQuery,
  PolicyCheck,
  Principal,
  PublishedTool,
  ViewCosts,
} from '../../../operations/index.ts';

/** What people ask about tools beside calling them. Every answer is from fresh grants; nothing is called. */
export interface ToolInspection {
  /** The search of the model's tools. Throws `unauthorized`, `store_unavailable`. */
  search(query: OperationQuery, principal: Principal): Promise<readonly InspectedHit[]>;
  /** Operations of the catalog with their state for a principal, sorted by tool name. */
  operations(query: OperationListQuery, principal: Principal): Promise<OperationPage>;
  /** o200k tokens of a tool as a model is given it. The first time loads the tokenizer. */
  tokens(tool: PublishedTool): number;
  /** Why a person must agree to a call of an operation by this tool; undefined: it would not ask. */
  approval(tool: string, operation: Operation, principal: Principal): CallAgreement | undefined;
  /** What the tools cost, and what `auto` takes within a budget. Without one: the configured budget. */
  costs(principal: Principal, budget?: number): Promise<BudgetedCosts>;
}

export interface InspectedHit extends OperationHit {
  /** The tool is in the caller's list; else another tool reaches it. */
  readonly listed: boolean;
  /** What it is for, in one sentence. */
  readonly purpose: string;
}

/** `listed`: a tool of its own; `reachable`: by another tool; `hidden`: neither. */
export type OperationState = 'listed' | 'reachable' | 'hidden';

export interface OperationListQuery {
  readonly source?: string | undefined;
  readonly access?: Access | undefined;
  /** `gated`: a person must agree to its calls, however it is reached. */
  readonly state?: OperationState | 'gated' | undefined;
  /** Words that all stand in name, id, path, title or tags. */
  readonly text?: string | undefined;
  /** Tool name that the last page ended with. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface OperationPage {
  readonly operations: readonly ListedOperation[];
  /** Of everything that the filters leave, before paging. */
  readonly counts: Readonly<Record<'all' | OperationState | 'gated', number>>;
  /** Names of the sources that have any operation here, whatever the filters. */
  readonly sources: readonly string[];
  /** Tool name to go on after; absent on the last page. */
  readonly next?: string;
}

export interface ListedOperation {
  readonly tool: string;
  readonly facts: OperationFacts;
  /** What it is for, in one sentence. */
  readonly purpose: string;
  readonly state: OperationState;
  /** Of `reachable`: a tool that leads to it. */
  readonly through?: string;
  /** Why a person must agree to its calls. */
  readonly gate?: string;
  /** Of `hidden`: the first check that does not pass. */
  readonly hidden?: Omit<PolicyCheck, 'passes'>;
}

export interface BudgetedCosts extends ViewCosts {
  /** Absent where nothing is visible. */
  readonly auto?: BudgetChoice;
  readonly budget: number;
}
