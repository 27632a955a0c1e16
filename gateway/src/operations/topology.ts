import type { Operation, OperationFacts } from './operation.ts';
import type { OperationSelector } from './selectors/selector.ts';
import type { PublishedTool } from './tool.ts';

/** How operations become tools. `auto`: the richest that fits the token budget. */
export type TopologyName = string;

/** The client of a call or a listing, as far as it says; decides nothing but the shape of the list. */
export interface ClientFacts {
  /** MCP `clientInfo.name`. */
  readonly name?: string;
  /** The topology that it asks for by its address (`/mcp?topology=base`) or on the command line. */
  readonly topology?: TopologyName;
  /** The skill that it asks for by its address (`/mcp?skill=NAME`), on the command line or in the request. */
  readonly skill?: string;
  /** Learns of changed lists while it is connected, so that found tools can be added to its own. */
  readonly followsLists?: boolean;
  /** What keeps two conversations of one principal apart: session id, else the client's name. */
  readonly session?: string;
}

/** A group of operations that the configuration names; by any of its tags, or any of its selectors. */
export interface CategoryRule {
  readonly tags?: readonly string[];
  readonly select?: readonly OperationSelector[];
  /** What the group is about, in one sentence. */
  readonly description?: string;
}

/** Everything that the configuration says about topologies; defaults filled in. */
export interface TopologyOptions {
  /** Tokens (o200k) that the published list may take under `auto`. */
  readonly tokenBudget: number;
  /** Category tools of hybrid and categories. */
  readonly maxCategoryTools: number;
  /** A category with fewer operations gets no tool of its own. */
  readonly minEndpointsPerCategory: number;
  /** Operation ids or tool names that always stay direct tools; categories that rank first. */
  readonly pinned: readonly string[];
  /** Categories by name; operations of none of them go by tag, else by path. */
  readonly categories: Readonly<Record<string, CategoryRule>>;
  /** Category names in the order of their rank; the others follow by number of operations. */
  readonly ranking: readonly string[];
  /** Tags whose category tool only holders of `adminRoles` see; what else is visible of them stands in `manage_other`. */
  readonly adminOnlyTags: readonly string[];
  readonly adminRoles: readonly string[];
  /** Found tools that `discover` and `search` keep listed, a source. */
  readonly maxToolsPerApi: number;
  /** Tools that `capped` lists for each connection of a source, by the source's name. */
  readonly listedPerConnector?: Readonly<Record<string, number>>;
  /** Tokens of hints in one category tool's description, and in one description of an operation. */
  readonly hintTokens: number;
}

export const DEFAULT_TOPOLOGY_OPTIONS: TopologyOptions = Object.freeze({
  tokenBudget: 20_000,
  maxCategoryTools: 10,
  minEndpointsPerCategory: 1,
  pinned: [],
  categories: {},
  ranking: [],
  adminOnlyTags: [],
  adminRoles: ['ADMIN', 'ADMINISTRATOR'],
  maxToolsPerApi: 30,
  hintTokens: 300,
});

/** One operation that a principal may call, with the flat tool that shows it; a CatalogEntry fits. */
export interface VisibleOperation extends PublishedTool {
  /** `source/id` */
  readonly operation: string;
  readonly source: string;
  readonly facts: OperationFacts;
  /** Reads the whole operation; cheap after the first time. */
  load(): Operation;
}

/** What a search asks for; filters first, then ranking. */
export interface OperationQuery {
  /** Plain words; empty: everything that passes the filters, in the order of the set. */
  readonly text?: string;
  readonly intent?: Intent;
  readonly source?: string;
  readonly category?: string;
  readonly method?: string;
  /** Default 8, at most 100. */
  readonly limit?: number;
}

/** What somebody wants to do; judged by access, not by method. */
export type Intent = 'read' | 'write' | 'create' | 'update' | 'delete' | 'manage' | 'all';

export interface OperationHit {
  readonly operation: VisibleOperation;
  /** 0 without text. */
  readonly score: number;
}
