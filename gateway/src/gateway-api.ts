import type { Approvals } from './approvals/index.ts';
import type { ArtifactStore } from './artifacts/index.ts';
import type { CompileProcess } from './assembly/compiling/run-compile-process.ts';
import type { Configuration } from './config/configuration.ts';
import type { Egress } from './egress/egress.ts';
import type { ConfigurationChanges, GatewayCore, Listening } from './gateway-core.ts';
import type { HintReader } from './hints/index.ts';
import type {
  CallAgreement,
  Chat,
  Diagnostic,
  OperationHit,
  OperationQuery,
  Principal,
  PublishedTool,
  ToolExplanation,
  TopologyName,
  ViewCosts,
} from './operations/index.ts';
import type { Reranker } from './retrieval/index.ts';
import type { GatewaySkills } from './server/http/admin/gateway-skills.ts';
import type { FunctionSource } from './sources/function/define.ts';
import type { SourceKind } from './sources/source-kind.ts';
import type { Logger } from './telemetry/logger.ts';
import type { Considered } from './topology/auto.ts';
import type { Topology } from './topology/topology.ts';

/** What an embedder may pass beside the configuration. */
export interface GatewayOptions {
  /** In-process functions, by source name; a name that the configuration lacks becomes a source without prefix. */
  readonly functions?: Readonly<Record<string, FunctionSource>>;
  /** Kinds of sources of the embedder's own, by their key in the configuration. */
  readonly sourceKinds?: ReadonlyArray<SourceKind<unknown>>;
  /** Topologies of the embedder's own, by their names. */
  readonly topologies?: readonly Topology[];
  /** Readers of hints in extensions of the embedder's own. */
  readonly hintReaders?: readonly HintReader[];
  /** Reorders what a search found. */
  readonly reranker?: Reranker;
  /** For sources of kind `azure`: tokens of your own instead of signing in, and who calls. */
  readonly azure?: {
    /** An access token for Azure Resource Manager. Asked for every half minute of use, and when the last one was refused. */
    readonly token?: (source: string, signal: AbortSignal) => Promise<string>;
    /** Default `toolcrib/<version>`. */
    readonly userAgent?: () => string;
  };
  /** Replaces the egress door; for tests. */
  readonly egress?: Egress;
  /** Folder of the built console instead of the one that comes with the package. */
  readonly consoleFolder?: string;
  /** Where faults of the gateway itself go; default: standard error, redacted. */
  readonly logger?: Logger;
  /**
   * Called once while a source is compiled elsewhere: the time for what else must be loaded. The gateway has a catalog
   * when `listable` resolves, which may be before `createGateway` does; calls then wait by themselves.
   */
  readonly whileStarting?: (gateway: Gateway, listable: Promise<void>) => void;
  /** Reads the configuration again when its file changes; absent: it counts as it was given. */
  readonly reload?: () => Promise<Configuration>;
  /** A compile process that was started ahead; whoever started it releases it. */
  readonly compileProcess?: CompileProcess;
}

/** What a principal would see in one topology. */
export interface Surface {
  /** Sorted by name. */
  readonly tools: readonly PublishedTool[];
  /** One a group of sources that are published together; none where nothing is visible. */
  readonly topologies: ReadonlyArray<{
    readonly took: TopologyName;
    /** What `auto` looked at, richest first; empty for the others. */
    readonly considered: readonly Considered[];
  }>;
}

/** How long MCP is served on standard input and output. */
export interface StdioServing {
  /** Who the client is; default: the owner of the process. */
  readonly principal?: Principal;
  /** Ends it from this side. */
  readonly signal?: AbortSignal;
  /** Requests wait for it; the handshake does not. */
  readonly ready?: Promise<void>;
}

export interface Gateway extends GatewayCore {
  /** As it counts now. */
  readonly configuration: Configuration;
  /** The stored full outputs of this principal. */
  artifacts(principal?: Principal): Promise<ArtifactStore>;
  /** Calls that wait for a person, and what people decided. Throws `store_unavailable`. */
  approvals(): Promise<Approvals>;
  /** Compile, policy and lock findings of the current catalog. */
  diagnostics(): readonly Diagnostic[];
  /** The tools of one topology, whatever the configuration takes: to compare them. */
  surface(topology: TopologyName, principal?: Principal): Surface;
  /** What the tools of every topology cost a principal's model. Throws `unauthorized`, `store_unavailable`. */
  costs(principal?: Principal): Promise<ViewCosts>;
  /** Operations that a principal may call, best first, whatever the topology. */
  search(query: OperationQuery, principal?: Principal): Promise<readonly OperationHit[]>;
  /** Skills and what can be done with them; undefined where no source holds any. */
  skills(): Promise<GatewaySkills | undefined>;
  /** The chat loop over this gateway's tools. */
  chat(): Promise<Chat>;
  /** Describes one source, or all, again and swaps the catalog. */
  refresh(source?: string): Promise<void>;
  /**
   * Takes over another configuration while running: sources are added, changed and removed, policy counts from the
   * next call on, calls in flight end as they began. Names what counts only after a restart.
   */
  reconfigure(next: Configuration): Promise<ConfigurationChanges>;
  /** Accepts changed definitions into the lock: one tool, or all. Names the tools accepted. */
  accept(tool?: string): Promise<readonly string[]>;
  /**
   * Refuses what a tool has become: it stays withheld until it changes again or is accepted. Throws `tool_unknown`,
   * `record_conflict` where it is as the lock holds it.
   */
  reject(tool: string, reason?: string): Promise<void>;
  /** Every factor of whether a principal may use a tool, from fresh grants. Throws `tool_unknown`. */
  explain(tool: string, principal?: Principal): Promise<ToolExplanation>;
  /**
   * Of the tools that a principal may call: those of which a person is asked before each call, or no call goes through
   * whoever agrees. By name. Throws `unauthorized`, `store_unavailable`.
   */
  agreements(principal?: Principal): Promise<ReadonlyMap<string, CallAgreement>>;
  /** MCP at /mcp, the HTTP API at /api/v1, health routes: a web-standard handler for embedding. */
  fetch(request: Request): Promise<Response>;
  /** Throws `store_unavailable`, `store_version`, `port_in_use`: nothing is served whose every call would be refused. */
  listen(address?: { host?: string; port?: number }): Promise<Listening>;
  /** Serves MCP on standard input and output until the client goes away. */
  serveStdio(options?: StdioServing): Promise<void>;
  close(): Promise<void>;
}
