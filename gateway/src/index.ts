import { checkEmbedding, checkFunctionNames } from './assembly/check-embedding.ts';
import type { Configuration } from './config/configuration.ts';
import type { AzureEntry } from './config/schema/azure.ts';
import type { ConfigurationFile } from './config/schema/configuration-file.ts';
import type { SkillsEntry } from './config/schema/skills.ts';
import type { McpEntry } from './config/settings/upstreams.ts';
import { createGateway as composeGateway, type Gateway, type GatewayOptions } from './gateway.ts';
import type { ProviderManifest } from './sources/manifest/index.ts';
import type { N8nConfig } from './sources/n8n/config.ts';
import type { SourceKind } from './sources/source-kind.ts';
import type { WebSettings } from './web/index.ts';

/** What may stand in `toolcrib.yaml`, as an object. */
export type ConfigurationInput = Omit<ConfigurationFile, 'sources'> & {
  readonly sources?: Readonly<Record<string, SourceInput>>;
};

/** The same with sources of kinds that the options bring. */
export type OwnKindsInput = Omit<ConfigurationInput, 'sources'> & {
  readonly sources: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/** One source: exactly one of the kinds, and what every kind shares. */
export type SourceInput = NonNullable<ConfigurationFile['sources']>[string] & {
  /** Path or URL of an OpenAPI document, or an object with `document`. */
  readonly openapi?: string | Readonly<Record<string, unknown>>;
  /** A shipped provider, the path of a manifest, or what `defineManifest` returns. */
  readonly manifest?: string | { readonly file: string } | ProviderManifest;
  /** Folders of tool packages; their code runs in this process. */
  readonly package?: string | readonly string[];
  /** Functions that `createGateway` is given under this name. */
  readonly function?: Readonly<Record<string, never>>;
  /** The gateway's own HTTP API. */
  readonly self?: Readonly<Record<string, never>>;
  /** An upstream MCP server: a command, or a URL. */
  readonly mcp?: McpEntry;
  /** Workflows of an n8n instance. */
  readonly n8n?: N8nConfig;
  /** The API connections of an Azure resource group. */
  readonly azure?: AzureEntry;
  /** Who searches the web, reads pages and retrieves passages. */
  readonly web?: WebSettings;
  /** Folders of skills, each a folder with SKILL.md. */
  readonly skills?: SkillsEntry;
};

export interface EmbedOptions extends GatewayOptions {
  /** Relative paths of the configuration are relative to it. Default: the working directory. */
  readonly baseDirectory?: string;
  /** Where `{ env: NAME }` references are looked up. Default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Kinds of sources of your own, by their key in the configuration. */
  readonly sourceKinds?: ReadonlyArray<SourceKind<unknown>>;
}

/**
 * Starts a gateway: the same that the command line uses. Takes what a configuration file may hold, or what
 * `loadConfiguration` returned. Rejects with ToolcribError (`configuration_invalid`, or a source's error when
 * no source could be read).
 */
export function createGateway(
  configuration: ConfigurationInput | Configuration,
  options?: EmbedOptions,
): Promise<Gateway>;
export function createGateway(
  configuration: OwnKindsInput,
  options: EmbedOptions & Pick<Required<EmbedOptions>, 'sourceKinds'>,
): Promise<Gateway>;
export async function createGateway(
  configuration: ConfigurationInput | OwnKindsInput | Configuration,
  options: EmbedOptions = {},
): Promise<Gateway> {
  checkEmbedding(configuration, options);
  const { baseDirectory = process.cwd(), env = process.env, ...rest } = options;
  const compose = (complete: Configuration) => {
    checkFunctionNames(complete, rest);
    return composeGateway(complete, rest);
  };
  if ('baseDirectory' in configuration) return compose(configuration as Configuration);
  const { kindsWith, parseConfiguration, topologiesWith } = await import('./config/index.ts');
  const kinds = kindsWith((rest.sourceKinds ?? []).map(({ kind }) => kind));
  const topologies = topologiesWith((rest.topologies ?? []).map(({ name }) => name));
  const context = { baseDirectory, env, kinds, topologies };
  return compose(await parseConfiguration(configuration, context));
}

export type { Catalog, CatalogEntry, CatalogSource } from './catalog/catalog.ts';
export type { Configuration, SourceConfiguration } from './config/configuration.ts';
export { loadConfiguration } from './config/index.ts';
export type { CredentialProvider } from './credentials/credential-provider.ts';
export {
  type ArmContext,
  type ConnectionResponse,
  closeDynamicTools,
  type DynamicToolServer,
  type RegistrationOptions,
  type RegistrationStats,
  registerDynamicTools,
  registerToolsForConnection,
} from './dynamic-registration/register-dynamic-tools.ts';
export type { Egress, EgressLimits, EgressResponse, OutgoingRequest } from './egress/egress.ts';
export { ERRORS, type ErrorCode, isToolcribError, ToolcribError } from './errors.ts';
export { type RunEvent, toRunEvent } from './events/run-event.ts';
export type { ExecuteContext, Executor, RawResult } from './executors/executor.ts';
export type { Gateway, GatewayOptions } from './gateway.ts';
export type {
  Audience,
  CallRequest,
  Change,
  Listening,
  PromptRead,
  ResourceRead,
  View,
} from './gateway-core.ts';
export type { HintReader, OperationHints } from './hints/index.ts';
export type * from './operations/index.ts';
export {
  createSkillSelection,
  type EffectiveSkill,
  type ResolveEffectiveSkill,
} from './policy/effective-skill.ts';
export { createEmbeddingReranker, type EmbeddingRerankerOptions } from './reranking/index.ts';
export { type FramedResult, frameToolResults, SYNTHESIS_PROMPT } from './results/untrusted/frame-results.ts';
export type { Reranker } from './retrieval/index.ts';
export type { Layer, Next } from './router/compose.ts';
export {
  deduplicateByFamily,
  type FilterFacts,
  type FilterOptions,
  filterOperations,
} from './sources/azure/filters.ts';
export {
  type ParsedBodyProperty,
  type ParsedOperation,
  type ParsedParameter,
  type ParsedRequestBody,
  parseOpenApiSpec,
} from './sources/azure/open-api-parser.ts';
export { buildToolDescription, buildToolName } from './sources/azure/tool-names.ts';
export { generateZodSchema, sanitizeKey } from './sources/azure/zod-generator.ts';
export {
  content,
  defineFunctions,
  defineTool,
  type FunctionContext,
  type FunctionOutput,
  type FunctionPrompt,
  type FunctionResource,
  type FunctionResourceTemplate,
  type FunctionSource,
  type FunctionTool,
  inputRequired,
  output,
  type ToolDefinition,
  type ToolExample,
} from './sources/function/define.ts';
export type { FromSchema, ToolArguments, ToolSchema, ToolValue } from './sources/function/schema-types.ts';
export {
  type AccessLevel,
  type CategorizedParams,
  categorizeParams,
  defineManifest,
  filterOperationsByAccess,
  type GeneratedTool,
  generateToolsFromManifest,
  getManifest,
  getToolSummary,
  type HttpMethod,
  interpolatePath,
  manifests,
  type OperationAccess,
  type ParameterDef,
  type ProviderManifest,
  type ProviderOperation,
  type ProxyClient,
  type ProxyRequest,
  registerGeneratedTools,
  type ToolServer,
  type ToolSummary,
} from './sources/manifest/index.ts';
export type { SourceContext, SourceKind, SourceReader } from './sources/source-kind.ts';
export type { ToolCall, ToolResult, ToolRouter } from './tool-router.ts';
export { type CategoryTopologyOptions, createCategories } from './topology/categories.ts';
export type { Category, CategorySchema } from './topology/category/category.ts';
export { createHybrid } from './topology/hybrid.ts';
export type {
  OperationSet,
  OwnAnswer,
  OwnResult,
  Resolution,
  ToolContext,
  Topology,
  TopologyTool,
} from './topology/topology.ts';
export { VERSION } from './version.ts';
export {
  BraveSearchProvider,
  type CallTool,
  type Citation,
  createWebTools,
  DirectScraper,
  type Embedder,
  type Filters,
  JinaReaderProvider,
  MCPProvider,
  OpenAiEmbedder,
  OpenSearchProvider,
  PgVectorProvider,
  PostgresTextProvider,
  type RetrievedChunk,
  type RetrievedChunks,
  type RetrieveProvider,
  type ScrapedPage,
  type ScrapeProvider,
  type SearchProvider,
  type SearchResult,
  type SearchResults,
  SearxngProvider,
  type WebSettings,
  type WebTools,
} from './web/index.ts';
