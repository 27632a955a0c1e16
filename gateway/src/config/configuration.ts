import type {
  AccessLevel,
  AccessRule,
  ApprovalPolicy,
  BudgetRule,
  ConnectionCredentials,
  CostRule,
  OperationSelector,
  ProxySettings,
  SecretReference,
  SkillPolicy,
  TaintPolicy,
  TlsSettings,
  ToolChoice,
  TopologyName,
  UntrustedPolicy,
} from '../operations/index.ts';
import type { ChatConfiguration } from './settings/chat.ts';
import type { HintsConfiguration } from './settings/hints.ts';
import type { PermissionsConfiguration } from './settings/permissions.ts';
import type { SearchConfiguration } from './settings/search.ts';
import type { ShapingConfiguration, SurfaceConfiguration } from './settings/topology.ts';

/** The validated configuration, defaults filled in. Paths are absolute. */
export interface Configuration {
  readonly name: string;
  readonly topology: TopologyName;
  /** Its options, rules by client and principal, shaping of answers; absent: the defaults. */
  readonly surface?: SurfaceConfiguration;
  /** How operations are found; absent: by words. */
  readonly search?: SearchConfiguration;
  /** The file that was read; absent for documents named on the command line and for embedders. */
  readonly file?: string;
  /** Files of presets that its sources name; absent: none. */
  readonly presetFiles?: readonly string[];
  /** Folder of the configuration file, or the working directory. */
  readonly baseDirectory: string;
  /** State that survives restarts: lock, report, cache, artifacts. */
  readonly stateDirectory: string;
  readonly sources: Readonly<Record<string, SourceConfiguration>>;
  /** As other clients write it; each that is not disabled is a source too. */
  readonly mcpServers: Readonly<Record<string, McpServerEntry>>;
  /** What the operator listed, and the origins of every base, token and document URL that the operator named. */
  readonly egress: EgressConfiguration;
  readonly lock: LockConfiguration;
  readonly output: {
    readonly strict: boolean;
    readonly schemas: boolean;
    /** Absent: the defaults. */
    readonly untrusted?: UntrustedPolicy;
  };
  readonly server: ServerConfiguration;
  /** `none`, `sqlite:` with an absolute path, or a postgres: URL, which may hold a password. */
  readonly store: string;
  readonly auth: AuthConfiguration;
  readonly policy: PolicyConfiguration;
  /** The model of the chat loop; absent: there is no chat. */
  readonly chat?: ChatConfiguration;
  /** Days that events and usage rows are kept. */
  readonly retention: { readonly eventDays: number; readonly usageDays: number };
  readonly artifacts: ArtifactsConfiguration;
  /** When calls become tasks, and how long those are kept after they ended; absent: no call becomes one. */
  readonly tasks?: TasksConfiguration;
  readonly webhooks: readonly WebhookConfiguration[];
  readonly telemetry: TelemetryConfiguration;
  /** Which tools categories with generic tools offer, where neither organisation nor user says. */
  readonly tools: ToolChoice;
  /** Category files of the operator, absolute. */
  readonly categories: readonly string[];
  /** Schema profile for clients: `portable` keeps `$defs`; `no-refs` inlines and cuts recursion at depth 4. */
  readonly schemaProfile: 'portable' | 'no-refs';
  readonly watch: boolean;
  readonly cache: boolean;
}

export interface AuthConfiguration {
  /** `local`: one user, the owner of the process. `team`: every HTTP caller shows a key or a sign-in token. */
  readonly mode: 'local' | 'team';
  readonly jwt?: JwtConfiguration;
}

/** Sign-in tokens of an identity provider (RFC 7519, RFC 7517). */
export interface JwtConfiguration {
  readonly issuer: string;
  /** A token names one of them. */
  readonly audience: readonly string[];
  /** Absent: as the issuer's metadata say. */
  readonly jwksUrl?: string;
  /** What clients ask for when they sign in; absent: they are not told. */
  readonly scopes?: readonly string[];
  /** Claims that hold them; default `sub`, `org_id`, `roles`. */
  readonly claims: { readonly user: string; readonly organisation: string; readonly roles: string };
  /** Absent: nobody signs in to the console at the provider. */
  readonly console?: ConsoleSignInConfiguration;
}

/** The console as a client of the identity provider (OpenID Connect Core 1.0 §3.1). */
export interface ConsoleSignInConfiguration {
  readonly clientId: SecretReference;
  readonly clientSecret?: SecretReference;
  /** Absent: as the provider's metadata say. */
  readonly clientAuthentication?: 'basic' | 'body';
  /** `openid` among them. */
  readonly scopes: readonly string[];
  /** For people. */
  readonly name: string;
  readonly authorizationParameters?: Readonly<Record<string, string>>;
}

export interface PolicyConfiguration {
  /** What new organisations and users get, by category; `*` for all others. */
  readonly defaults: {
    readonly organisation: Readonly<Record<string, AccessLevel>>;
    readonly user: Readonly<Record<string, AccessLevel>>;
  };
  /** Which calls a person must agree to; absent: the defaults. */
  readonly approvals?: ApprovalsConfiguration;
  /** The most that callers may use; absent: no limit. */
  readonly budgets?: readonly BudgetRule[];
  /** How tools of skills run, and who sees them; absent: the defaults. */
  readonly skills?: SkillPolicy;
  /** What a session may do after it has read untrusted content; absent: the same as before. */
  readonly taint?: TaintPolicy;
}

/** `policy.approvals`, complete. */
export interface ApprovalsConfiguration extends ApprovalPolicy {
  /** Where people reach this gateway, without a slash at its end; absent: at the server's own address. */
  readonly url?: string;
}

export interface LockConfiguration {
  /** What happens to a tool whose definition differs from the lock. */
  readonly mode: 'accept' | 'warn' | 'quarantine';
  /** Nobody chose the mode: then tools of upstream MCP servers are pinned. */
  readonly isDefault?: boolean;
  readonly file: string;
  readonly report: string;
}

export interface ServerConfiguration {
  readonly host: string;
  readonly port: number;
  /** Where clients and people reach it, an origin; absent: as each request is addressed. */
  readonly publicUrl?: string;
  /** Bearer token; required as soon as the host is not loopback. */
  readonly token?: string;
  /** It speaks https; absent: http. Read when it listens, and again where files are exchanged. */
  readonly tls?: ServerTls;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  readonly drainMs: number;
  /** Whether the web console is served at `/`; absent: it is. */
  readonly console?: boolean;
  /** How long a browser stays signed in, milliseconds; absent: the defaults. */
  readonly sessions?: { readonly idleMs: number; readonly absoluteMs: number };
}

/** What the server shows to its clients, PEM. */
export interface ServerTls {
  /** With its chain behind it. */
  readonly certificate: SecretReference;
  readonly key: SecretReference;
  readonly passphrase?: SecretReference;
}

export interface ArtifactsConfiguration {
  /** An absolute path, or a bucket. */
  readonly place: string | S3Configuration;
  readonly limits: {
    readonly maxTotalBytes?: number;
    readonly quotaBytes?: number;
    readonly maxAgeMs?: number;
  };
  /** Which outputs are kept beside those that were cut or are binary. */
  readonly keep: { readonly always: boolean; readonly aboveBytes?: number };
}

export interface TasksConfiguration {
  readonly afterMs: number;
  readonly keepMs: number;
}

export interface S3Configuration {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly prefix: string;
  readonly accessKeyId: SecretReference;
  readonly secretAccessKey: SecretReference;
  readonly sessionToken?: SecretReference;
}

export interface WebhookConfiguration {
  readonly name: string;
  readonly url: string;
  readonly secret: SecretReference;
  /** Absent: all. */
  readonly types?: readonly string[];
  readonly format: 'event' | 'run';
  readonly attempts: number;
}

export interface TelemetryConfiguration {
  readonly enabled: boolean;
  readonly otlp?: string;
}

/** An upstream MCP server as other clients write it. */
export type McpServerEntry = {
  /** Which of its tools count, by their names there; other clients have other words (`server-tools.ts`). */
  readonly includeTools?: readonly string[];
  readonly excludeTools?: readonly string[];
} & (
  | {
      readonly type?: 'stdio';
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly type?: 'http' | 'sse' | 'streamable-http' | 'streamableHttp';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
);

export interface EgressConfiguration {
  readonly allow: readonly string[];
  /** The operator's own list, without the addresses of sources: those are for the calls of their source. Absent: all. */
  readonly redirects?: readonly string[];
  /** Its URL may hold a password. */
  readonly proxy?: ProxySettings;
}

/** One entry of `sources:`: the kind's own settings, and what every kind shares. */
export interface SourceConfiguration {
  readonly kind: string;
  /** Validated by the kind's own schema. */
  readonly settings: unknown;
  /** `none`: tool names carry no source prefix. Default: the source's name. */
  readonly prefix: string | 'none';
  readonly baseUrl?: string;
  readonly serverVariables?: Readonly<Record<string, string>>;
  readonly credentials?: ConnectionCredentials;
  /** Absolute. */
  readonly socketPath?: string;
  readonly tls?: TlsSettings;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly maxAttempts?: number;
  readonly concurrency?: number;
  readonly maxTextLength?: number;
  /** Levels are set by it; default: the provider's, else `api`. */
  readonly category?: string;
  /** `shared`: everybody uses the account configured here. `records`: organisations and users connect their own. */
  readonly connections?: 'shared' | 'records';
  /** What becomes of tools whose account is not connected; default `hide`. */
  readonly whenUnauthenticated?: 'hide' | 'list';
  readonly region?: string;
  /** The configured account's user id at the provider, for On-Behalf-Of. */
  readonly actingUser?: string;
  /** The proxy route may send what matches no operation, classed by method. Default: false. */
  readonly rawProxy?: boolean;
  readonly access: readonly AccessRule[];
  /** Default: the gateway's; `flat` for manifests, `azure` and `skills`. */
  readonly topology?: TopologyName;
  readonly shaping?: ShapingConfiguration;
  /** Where hints for models come from beside `x-llm-hints` of its document. */
  readonly hints?: HintsConfiguration;
  /** What its operations require of callers; absent: nothing beyond access. */
  readonly permissions?: PermissionsConfiguration;
  /** Groups of its operations that can be switched off, by name. */
  readonly features?: FeaturesConfiguration;
  /** Where its paths begin when the base URL names a host alone, e.g. `/api`. */
  readonly basePath?: string;
  /** Other names of its categories, by those names. */
  readonly categoryAliases?: Readonly<Record<string, string>>;
  /** What its calls cost; absent: as its description says. */
  readonly costs?: readonly CostRule[];
  readonly include: readonly OperationSelector[];
  readonly exclude: readonly OperationSelector[];
}

/** Operations that are switched on and off together: any tag, any path glob or any id. */
export interface FeatureConfiguration {
  readonly tags: readonly string[];
  readonly paths: readonly string[];
  readonly operations: readonly string[];
  readonly enabled: boolean;
  readonly description?: string;
}

/** By name within the source. */
export type FeaturesConfiguration = Readonly<Record<string, FeatureConfiguration>>;
