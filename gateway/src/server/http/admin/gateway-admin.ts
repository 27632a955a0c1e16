import type { ArtifactStore } from '../../../artifacts/index.ts';
import type { Configuration } from '../../../config/configuration.ts';
import type { GroupedFinding } from '../../../doctor/index.ts';
import type { FeatureSwitches } from '../../../features/index.ts';
import type { GatewayCore } from '../../../gateway-core.ts';
import type { Chat } from '../../../operations/chat.ts';
import type {
  AccessLevel,
  BudgetUse,
  ConnectionStatus,
  Diagnostic,
  Principal,
  ToolExplanation,
} from '../../../operations/index.ts';
import type { Directory } from '../../../principals/directory/directory.ts';
import type { ForwardProxyRequest } from '../../../proxy/create-proxy.ts';
import type { AccessAdministration } from './access-administration.ts';
import type { GatewaySkills } from './gateway-skills.ts';
import type { GatewaySources } from './gateway-sources.ts';
import type { ToolInspection } from './tool-inspection.ts';

/** What the HTTP side needs of the gateway beside the calls themselves. */
export interface GatewayAdmin extends GatewayCore {
  readonly configuration: Configuration;
  /** Keys of the configuration that count at once when it changes, and those that were changed and wait for a restart. */
  configurationKeys?(): { readonly live: readonly string[]; readonly afterRestart: readonly string[] };
  /** Topologies that this gateway has; absent: it does not say, and what is unknown is as configured. */
  readonly topologies?: readonly string[];
  /** Why a caller cannot have a skill that it asks for; absent: nobody says, and what is unknown is none. */
  skillFault?(principal: Principal, skill: string): Promise<string | undefined>;
  /** Why a caller cannot have these sources alone; absent: nobody says, and what is unknown is none. */
  sourceFault?(principal: Principal, sources: readonly string[]): Promise<string | undefined>;
  /** Compile, policy and lock findings of the current catalog. */
  diagnostics(): readonly Diagnostic[];
  /** Accepts changed definitions into the lock: one tool, or all. Names the tools accepted. */
  accept(tool?: string): Promise<readonly string[]>;
  /** Refuses what a tool has become. Throws `tool_unknown`, `record_conflict`. */
  reject?(tool: string, reason?: string): Promise<void>;
  /** The stored full outputs that this principal may read and remove; absent where none are kept. */
  artifacts?(principal: Principal): Promise<ArtifactAccess>;
  /** Organisations and what belongs to them; absent without a store. */
  readonly directory?: Directory;
  /** Rows of the usage log, added up; absent without a store. */
  usage?(query: UsageQuery): Promise<readonly UsageRow[]>;
  /** What is used of every budget, within this scope. */
  budgets?(scope: {
    readonly organisation?: string;
    readonly principal?: string;
    /** Which, by the one source whose calls they count; undefined: it may be any. */
    readonly covers?: (source: string | undefined) => boolean;
  }): Promise<readonly BudgetUse[]>;
  /** Groups of operations that can be switched off. */
  readonly features?: FeatureSwitches | undefined;
  /** A provider's request as a call on the operation that it means. */
  readonly proxy?: ForwardProxyRequest;
  /** What this principal may do now, per source. Throws `unauthorized`, `store_unavailable`. */
  profile?(principal: Principal): Promise<CapabilityProfile>;
  /** Every factor of whether a principal may use a tool. Throws `tool_unknown`. */
  explain?(tool: string, principal: Principal): Promise<ToolExplanation>;
  /** What people ask about tools beside calling them. */
  readonly inspection?: ToolInspection;
  /** Who may do what, and what changes of it would bring. */
  readonly access?: AccessAdministration;
  /** The Nango of a source whose accounts are kept there; undefined for all others. */
  nango?(source: string): NangoLinks | undefined;
  /** Conversations of the configured model with the tools. */
  chat?(): Promise<Chat>;
  /** What is wrong here and how to mend it, looked at now. Takes seconds. */
  examine?(): Promise<readonly GroupedFinding[]>;
  /** Skills that bring their own tools; undefined where no source of them is configured. */
  skills?(): Promise<GatewaySkills | undefined>;
  /** How each source is, and changes of sources by the owner. */
  readonly sources?: GatewaySources;
}

export type ArtifactAccess = Pick<ArtifactStore, 'open' | 'list' | 'remove'>;

/** Filters of the usage log; days are UTC, `2026-11-21`, both ends included. */
export interface UsageQuery {
  readonly organisation?: string;
  readonly user?: string;
  readonly operation?: string;
  readonly source?: string;
  readonly sources?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  /** Not earlier, milliseconds since the epoch. */
  readonly since?: number;
  readonly groupBy: 'day' | 'user' | 'operation' | 'source' | 'organisation';
}

export interface UsageRow {
  /** What was grouped by. */
  readonly key: string | null;
  readonly calls: number;
  readonly errors: number;
  /** All calls together, the average and the longest, milliseconds. */
  readonly durationMs: number;
  readonly meanMs: number;
  readonly maxMs: number;
}

/** What one principal may do, as of one moment. */
export interface CapabilityProfile {
  /** Roles held now, the store's and the credential's. */
  readonly roles: readonly string[];
  /**
   * Since when the id is this user's, of an admin the organisation's; milliseconds since the epoch. Absent for who is no
   * user of the store.
   */
  readonly since?: number;
  readonly sources: readonly SourceProfile[];
  /** Every category that the gateway knows, with the caller's effective level. */
  readonly effectiveAccess: Readonly<Record<string, AccessLevel>>;
}

export interface SourceProfile {
  readonly name: string;
  /** The provider's name, where the source has one. */
  readonly provider?: string;
  readonly category: string;
  readonly level: AccessLevel;
  readonly connection: ConnectionStatus;
  /** In which members connect accounts of this source at Nango; absent: nobody can by themselves. */
  readonly integration?: string;
}

/** A page on which a person connects an account; whoever has the link can use it. */
export interface ConnectSession {
  readonly token: string;
  readonly connectLink: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface NangoLinks {
  /** Nango's name for the provider, `provider_config_key`. */
  readonly integration: string;
  createConnectSession(
    request: {
      readonly endUser: { readonly id: string; readonly email?: string; readonly displayName?: string };
      readonly allowedIntegrations: readonly string[];
    },
    signal: AbortSignal,
  ): Promise<ConnectSession>;
  createReconnectSession(
    connection: { readonly connection: string; readonly integration: string },
    signal: AbortSignal,
  ): Promise<ConnectSession>;
}
