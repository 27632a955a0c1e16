import type { TopologyName } from './topology.ts';

/** Tokens of finding, describing and calling one operation: what the model says, and what the gateway answers. */
export interface FlowTokens {
  readonly search: number;
  readonly describe: number;
  /** What the model says; the answer is the service's. */
  readonly call: number;
  readonly total: number;
}

/** What the tools of one topology cost a model that is given them. */
export interface SurfaceTokens {
  readonly name: TopologyName;
  readonly tools: number;
  readonly tokens: number;
  /** Absent where operations are called without searching. */
  readonly flow?: FlowTokens;
  /** The dearest first. */
  readonly perTool: readonly ToolTokens[];
}

export interface ToolTokens {
  readonly name: string;
  readonly tokens: number;
}

/** A topology that `auto` can take, counted to the end. */
export interface CandidateCost {
  readonly name: TopologyName;
  readonly tools: number;
  readonly tokens: number;
}

/** What `auto` takes within a budget, and every candidate up to it. */
export interface BudgetChoice {
  readonly took: TopologyName;
  readonly tools: number;
  readonly tokens: number;
  /** Richest first, to the one taken. */
  readonly considered: ReadonlyArray<CandidateCost & { readonly fits: boolean }>;
  /** False: nothing fits, and the last candidate is taken all the same. */
  readonly fits: boolean;
}

/** What one principal's tools cost in every topology: names, descriptions and input schemas as JSON, counted with o200k. */
export interface ViewCosts {
  readonly encoding: 'o200k_base';
  /** What is listed as the gateway is configured. */
  readonly listed: {
    /** What was taken, one for each group of sources that are published together. */
    readonly topologies: readonly TopologyName[];
    readonly tools: number;
    readonly tokens: number;
    /** Tokens of output schemas, for clients that pass them on. */
    readonly outputSchemas: number;
    readonly perTool: readonly ToolTokens[];
  };
  readonly topologies: readonly SurfaceTokens[];
  /** What `auto` has to choose from where all sources ask for it, richest first. */
  readonly candidates: readonly CandidateCost[];
  /** The configured budget, tokens. */
  readonly tokenBudget: number;
  /** Name of the operation that the flows are measured with. */
  readonly operation?: string;
}
