import { escapeToken, isObject, type TlsSettings } from '../operations/index.ts';
import { type Problem, problemsOf } from '../operations/text/schema-problems.ts';
import { withNamedDestinations } from './allowed-destinations.ts';
import { applyOverrides } from './command-line/overrides.ts';
import type { Configuration, ServerTls, SourceConfiguration } from './configuration.ts';
import type { ConfigurationContext } from './context.ts';
import { DEFAULTS } from './defaults.ts';
import { absolutePath, defaultLockFile, defaultStateDirectory } from './directories.ts';
import { configurationError, withPlace } from './issues.ts';
import { bytes, milliseconds } from './measures.ts';
import type { AzureEntry } from './schema/azure.ts';
import type { ConfigurationFile } from './schema/configuration-file.ts';
import type { N8nEntry } from './schema/n8n.ts';
import type { SkillsEntry } from './schema/skills.ts';
import { resolveSecret } from './secrets.ts';
import { azureSettings } from './settings/azure.ts';
import { costRules } from './settings/budgets.ts';
import { chatConfiguration } from './settings/chat.ts';
import { sourceCredentials, type WrittenCredentials } from './settings/credentials.ts';
import { egressConfiguration } from './settings/egress.ts';
import { featurePointer, featureSwitches, featuresConfiguration, withFeatures } from './settings/features.ts';
import { hintsConfiguration } from './settings/hints.ts';
import { mcpServerSources, wrongServerKeys } from './settings/mcp-servers.ts';
import { n8nSettings } from './settings/n8n.ts';
import { type OpenApiEntry, openApiSettings } from './settings/openapi.ts';
import { permissionsConfiguration } from './settings/permissions.ts';
import { withPresets } from './settings/presets.ts';
import {
  artifactsConfiguration,
  tasksConfiguration,
  telemetryConfiguration,
  webhooksConfiguration,
} from './settings/records.ts';
import { searchConfiguration } from './settings/search.ts';
import { skillSettings } from './settings/skills.ts';
import { authConfiguration, policyConfiguration, storeAddress } from './settings/team.ts';
import { tlsSettings, withAbsoluteTls } from './settings/tls.ts';
import {
  shapingConfiguration,
  surfaceConfiguration,
  topologyName,
  topologyNames,
  topologyOf,
} from './settings/topology.ts';
import { untrustedConfiguration } from './settings/untrusted.ts';
import {
  certifiedUpstream,
  type McpEntry,
  type UpstreamSettings,
  upstreamSettings,
} from './settings/upstreams.ts';
import { completeWebSettings } from './settings/web.ts';

/** A parsed file as a validated configuration. Throws `configuration_invalid` naming every problem. */
export async function parseConfiguration(
  value: unknown,
  context: ConfigurationContext,
): Promise<Configuration> {
  const { configurationSchema } = await import('./schema/configuration-file.ts');
  const kinds = context.kinds ?? DEFAULTS.kinds;
  const schema = configurationSchema(kinds, topologyNames(context.topologies ?? DEFAULTS.topologies));
  const { value: whole, files } = await withPresets(value, context);
  const parsed = schema.safeParse(whole ?? {});
  const problems = [...wrongServers(value), ...problemsOf(parsed.error?.issues ?? [], whole)];
  if (!parsed.success || problems.length > 0) {
    throw configurationError(problems, context.file, context.lineOf);
  }
  try {
    const configuration = complete(parsed.data, kinds, context);
    return files.length === 0 ? configuration : { ...configuration, presetFiles: files };
  } catch (error) {
    throw withPlace(error, context);
  }
}

/** The schema lets keys of other clients pass: those that are none are found here. */
function wrongServers(value: unknown): Problem[] {
  const servers = isObject(value) && isObject(value['mcpServers']) ? value['mcpServers'] : {};
  return Object.entries(servers).flatMap(([name, entry]) =>
    wrongServerKeys(entry).map(([key, message]) => ({ path: ['mcpServers', name, key], message })),
  );
}

function complete(
  file: ConfigurationFile,
  kinds: readonly string[],
  context: ConfigurationContext,
): Configuration {
  const { baseDirectory, env, overrides = {} } = context;
  const absolute = (path: string): string => absolutePath(path, baseDirectory, env);
  const named = Object.fromEntries(
    Object.entries(file.sources ?? {}).map(([name, entry]) => [name, source(name, entry, kinds, context)]),
  );
  const servers = (file.mcpServers ?? {}) as Configuration['mcpServers'];
  const sources = withFeatures(
    { ...named, ...mcpServerSources(servers, named, context) },
    featureSwitches(file),
    featurePointer,
  );
  const token = overrides.token ?? file.server?.token;
  const stateDirectory =
    overrides.stateDirectory ??
    (file.stateDirectory === undefined ? defaultStateDirectory(env) : absolute(file.stateDirectory));
  const search = searchConfiguration(file.search, context);
  const chat = chatConfiguration(file.chat, context);
  const tasks = tasksConfiguration(file.tasks);
  const configuration: Configuration = {
    name: file.name ?? DEFAULTS.name,
    topology: topologyOf(file.topology) ?? DEFAULTS.topology,
    surface: surfaceConfiguration(file),
    ...(search === undefined ? {} : { search }),
    ...(context.file === undefined ? {} : { file: context.file }),
    baseDirectory,
    stateDirectory,
    sources,
    mcpServers: servers,
    egress: egressConfiguration(file.egress, context),
    lock: {
      mode: file.lock?.mode ?? DEFAULTS.lockMode,
      isDefault: file.lock?.mode === undefined,
      file:
        file.lock?.file === undefined
          ? defaultLockFile(baseDirectory, stateDirectory)
          : absolute(file.lock.file),
      report: absolute(file.lock?.report ?? DEFAULTS.reportFile),
    },
    output: {
      strict: file.output?.strict ?? false,
      schemas: file.output?.schemas ?? true,
      untrusted: untrustedConfiguration(file.output?.untrusted),
    },
    server: {
      host: file.server?.host ?? DEFAULTS.host,
      port: file.server?.port ?? DEFAULTS.port,
      ...(file.server?.publicUrl === undefined ? {} : { publicUrl: new URL(file.server.publicUrl).origin }),
      ...(token === undefined || overrides.listening === false
        ? {}
        : {
            token: resolveSecret(
              token,
              'The server token',
              context,
              overrides.token === undefined ? '#/server/token' : undefined,
            ),
          }),
      ...(file.server?.tls === undefined
        ? {}
        : { tls: withAbsoluteTls(file.server.tls as ServerTls, context) }),
      allowedHosts: file.server?.allowedHosts ?? [],
      allowedOrigins: file.server?.allowedOrigins ?? [],
      maxBodyBytes: bytes(file.server?.maxBodySize ?? DEFAULTS.maxBodyBytes),
      drainMs: milliseconds(file.server?.drain ?? DEFAULTS.drainMs),
      console: file.server?.console ?? true,
      sessions: {
        idleMs: milliseconds(file.server?.sessions?.idle ?? DEFAULTS.sessionIdleMs),
        absoluteMs: milliseconds(file.server?.sessions?.absolute ?? DEFAULTS.sessionMs),
      },
    },
    store: storeAddress(file.store, stateDirectory, context),
    auth: authConfiguration(file.auth, context),
    policy: policyConfiguration(file, env),
    ...(chat === undefined ? {} : { chat }),
    retention: {
      eventDays: file.retention?.eventDays ?? DEFAULTS.eventDays,
      usageDays: file.retention?.usageDays ?? DEFAULTS.usageDays,
    },
    ...(tasks === undefined ? {} : { tasks }),
    artifacts: artifactsConfiguration(file.artifacts, stateDirectory, context),
    webhooks: webhooksConfiguration(file.events, context),
    telemetry: telemetryConfiguration(file.telemetry),
    tools: file.tools ?? 'dynamic',
    categories: (file.categories ?? []).map(absolute),
    schemaProfile: file.schemaProfile ?? 'portable',
    watch: file.watch ?? true,
    cache: file.cache ?? true,
  };
  const overridden = applyOverrides(configuration, overrides, { env, baseDirectory });
  return { ...overridden, egress: withNamedDestinations(overridden) };
}

/** Kinds whose tools have names of their own. */
const UNPREFIXED: ReadonlySet<string> = new Set(['manifest', 'package', 'azure', 'skills']);

type SourceFile = NonNullable<ConfigurationFile['sources']>[string];

function source(
  name: string,
  entry: SourceFile,
  kinds: readonly string[],
  context: ConfigurationContext,
): SourceConfiguration {
  const kind = kinds.find((candidate) => (entry as Record<string, unknown>)[candidate] !== undefined)!;
  const { limits = {} } = entry;
  const headers = Object.entries(entry.headers ?? {}).map(([header, value]) => {
    const pointer = `#/sources/${escapeToken(name)}/headers/${escapeToken(header)}`;
    return [header, resolveSecret(value, `Header ${header} of source ${name}`, context, pointer)] as const;
  });
  const settings = settingsOf(kind, name, (entry as Record<string, unknown>)[kind], context);
  const tls =
    entry.tls === undefined ? undefined : tlsSettings(name, kind, entry.tls as TlsSettings, context);
  return {
    kind,
    settings:
      kind === 'mcp' && tls !== undefined ? certifiedUpstream(settings as UpstreamSettings, tls) : settings,
    prefix: entry.prefix ?? (UNPREFIXED.has(kind) ? 'none' : kind === 'n8n' ? 'n8n' : name),
    ...(entry.topology === undefined ? {} : { topology: topologyName(entry.topology) }),
    ...(entry.shaping === undefined ? {} : { shaping: shapingConfiguration(entry.shaping) }),
    ...(entry.category === undefined ? {} : { category: entry.category }),
    ...(entry.connections === undefined ? {} : { connections: entry.connections }),
    ...(entry.whenUnauthenticated === undefined ? {} : { whenUnauthenticated: entry.whenUnauthenticated }),
    ...(entry.region === undefined ? {} : { region: entry.region }),
    ...(entry.actingUser === undefined ? {} : { actingUser: entry.actingUser }),
    ...(entry.rawProxy === undefined ? {} : { rawProxy: entry.rawProxy }),
    ...(entry.baseUrl === undefined ? {} : { baseUrl: entry.baseUrl }),
    ...(entry.socketPath === undefined
      ? {}
      : { socketPath: absolutePath(entry.socketPath, context.baseDirectory, context.env) }),
    ...(entry.serverVariables === undefined ? {} : { serverVariables: entry.serverVariables }),
    ...(entry.credentials === undefined
      ? {}
      : { credentials: sourceCredentials(entry.credentials as WrittenCredentials, context) }),
    ...(tls === undefined ? {} : { tls }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(limits.timeout === undefined ? {} : { timeoutMs: milliseconds(limits.timeout) }),
    ...(limits.maxBytes === undefined ? {} : { maxBytes: bytes(limits.maxBytes) }),
    ...(limits.maxAttempts === undefined ? {} : { maxAttempts: limits.maxAttempts }),
    ...(limits.concurrency === undefined ? {} : { concurrency: limits.concurrency }),
    ...(limits.maxTextLength === undefined ? {} : { maxTextLength: limits.maxTextLength }),
    access: (entry.access ?? []) as SourceConfiguration['access'],
    ...(entry.hints === undefined ? {} : { hints: hintsConfiguration(entry.hints, { source: name, kind }) }),
    ...(entry.permissions === undefined ? {} : { permissions: permissionsConfiguration(entry.permissions) }),
    ...(entry.features === undefined ? {} : { features: featuresConfiguration(entry.features) }),
    ...(entry.basePath === undefined ? {} : { basePath: entry.basePath }),
    ...(entry.categoryAliases === undefined ? {} : { categoryAliases: entry.categoryAliases }),
    ...(entry.costs === undefined ? {} : { costs: costRules(entry.costs) }),
    include: (entry.include ?? []) as SourceConfiguration['include'],
    exclude: (entry.exclude ?? []) as SourceConfiguration['exclude'],
  };
}

/** Most kinds complete their settings when they describe; what runs without being described again has them here. */
function settingsOf(kind: string, name: string, settings: unknown, context: ConfigurationContext): unknown {
  if (kind === 'web') return completeWebSettings(settings, context);
  if (kind === 'openapi') return openApiSettings(settings as OpenApiEntry, context);
  if (kind === 'skills') return skillSettings(settings as SkillsEntry, context);
  if (kind === 'n8n') return n8nSettings(settings as N8nEntry, context);
  if (kind === 'azure') return azureSettings(settings as AzureEntry, context.env);
  return kind === 'mcp' ? upstreamSettings(name, settings as McpEntry, context) : settings;
}
