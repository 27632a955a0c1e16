import { z } from 'zod';
import { sentHeaderName } from '../../operations/http/header-shapes.ts';
import { isObject } from '../../operations/index.ts';
import type { SourceKindName } from '../defaults.ts';
import { azureShape } from './azure.ts';
import { costShape } from './budgets.ts';
import { credentials, tls } from './credentials.ts';
import { featuresShape } from './features.ts';
import { hintsShape } from './hints.ts';
import { n8nShape } from './n8n.ts';
import { permissionsShape } from './permissions.ts';
import { selectorShape } from './selector.ts';
import { skillsShape } from './skills.ts';
import { sourceConflicts } from './source-conflicts.ts';
import { shapingShape } from './topology.ts';
import { mcpShape } from './upstreams.ts';
import { closed, duration, httpUrl, secret, size, startSecret, text } from './values.ts';
import { webShape } from './web.ts';

const selector = closed(selectorShape).refine(
  (rule) => Object.values(rule).some((part) => part !== undefined),
  'Name at least one of operation, tag, path, method.',
);
const accessRule = closed({
  ...selectorShape,
  access: z.enum(['read', 'write', 'delete', 'dangerous']),
}).refine(
  ({ access, ...rule }) => Object.values(rule).some((part) => part !== undefined),
  'Name at least one of operation, tag, path, method.',
);

const toolNames = z.array(text).optional();
const toolLists = {
  includeTools: toolNames.describe(
    'Only these tools, by their names there. Also enabled_tools, allowed_tools, tools.',
  ),
  excludeTools: toolNames.describe('Not these tools. Also disabledTools, disabled_tools.'),
};
const mcpServer = z.union(
  [
    z.looseObject({
      ...toolLists,
      type: z.literal('stdio').optional(),
      command: text,
      args: z.array(z.string()).optional(),
      env: z.record(z.string(), z.string()).optional(),
      cwd: text.optional(),
    }),
    z.looseObject({
      ...toolLists,
      type: z.enum(['http', 'sse', 'streamable-http', 'streamableHttp']).optional(),
      url: text,
      headers: z.record(z.string(), z.string()).optional(),
    }),
  ],
  { error: ({ input }) => (isNeither(input) ? 'Name either a command or a url.' : undefined) },
);

/** An entry whose alternative nothing tells. */
function isNeither(entry: unknown): boolean {
  return isObject(entry) && !['command', 'url', 'type'].some((key) => Object.hasOwn(entry, key));
}

export const mcpServers = z.record(text, mcpServer);

export const levels = z.record(
  z
    .string()
    .regex(
      /^(?:\*|[a-z][a-z0-9-]{0,31})$/,
      'Levels are set for a category, which has small letters, digits or "-", or for "*", all of them.',
    ),
  z.enum(['read-write', 'read-only', 'disabled', 'none']),
);

const shared = {
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/, 'A prefix has at most 32 letters, digits, "_" or "-".')
    .optional()
    .describe("Starts the tool names; none for no prefix. Default: the source's name."),
  baseUrl: httpUrl.optional().describe("Replaces the document's servers; allowed by the egress door."),
  serverVariables: z
    .record(text, z.string())
    .optional()
    .describe("Values for the variables of the document's servers."),
  credentials: credentials.optional(),
  socketPath: text
    .optional()
    .describe('A Unix domain socket, or a named pipe, through which its requests go; needs an http baseUrl.'),
  tls: tls.optional().describe('How its requests show themselves in TLS, and whom they trust.'),
  headers: z
    .record(sentHeaderName, startSecret)
    .optional()
    .describe('Sent on every request; never from arguments.'),
  category: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, 'A category has small letters, digits or "-".')
    .optional()
    .describe("Access levels are set by it. Default: the provider's, else api."),
  connections: z
    .enum(['shared', 'records'])
    .optional()
    .describe('records: organisations and users connect accounts of their own.'),
  whenUnauthenticated: z.enum(['hide', 'list']).optional(),
  region: text.optional().describe("One of the provider's regions."),
  actingUser: text.optional().describe("The account's user id at the provider, for On-Behalf-Of."),
  rawProxy: z.boolean().optional().describe('The proxy may send what matches no operation. Default: false.'),
  access: z.array(accessRule).optional().describe('The last matching rule wins.'),
  hints: hintsShape.optional().describe('Hints for models beside the document, or where it has its own.'),
  permissions: permissionsShape.optional().describe('What callers must be permitted to do.'),
  features: featuresShape.optional().describe('Groups of operations that can be switched off.'),
  preset: text
    .optional()
    .describe('Settings that come along for a known API, e.g. croit, or a file of your own.'),
  basePath: z
    .string()
    .regex(/^\/[^?#\s]*[^/?#\s]$/, 'A path begins with "/" and does not end with it.')
    .optional()
    .describe('Where paths begin when the base URL names a host alone.'),
  categoryAliases: z.record(text, text).optional().describe('Other names of categories, by those names.'),
  costs: z.array(costShape).optional().describe('What calls cost; the last matching rule wins.'),
  include: z.array(selector).optional().describe('Only operations that match one of these.'),
  exclude: z.array(selector).optional().describe('No operation that matches one of these.'),
  limits: closed({
    timeout: duration
      .optional()
      .describe('Whole call with redirects and retries. Default: 30s; of upstream MCP servers 5m.'),
    maxBytes: size.optional().describe('Decoded size of one answer.'),
    maxAttempts: z.int().min(1).max(10).optional().describe('Of one call. Default: 3.'),
    concurrency: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('Calls at once of one connection; as many wait. Default: 64.'),
    maxTextLength: z.int().min(100).optional().describe('Characters of one answer given to the client.'),
  }).optional(),
};

/** What only a source of kind openapi has. */
const openApiShape = {
  document: text,
  headers: z
    .record(sentHeaderName, secret)
    .optional()
    .describe('Shown where the document is read, to its own origin alone; calls never carry them.'),
  overlay: z
    .union([text, z.array(text)])
    .optional()
    .describe('OpenAPI Overlay documents, laid over it in this order.'),
  contentTypes: z.array(text).optional().describe('Preference among the body types of an operation.'),
  includeInternal: z.boolean().optional().describe('Operations marked x-internal. Default: false.'),
  includeDeprecated: z.boolean().optional().describe('Default: true.'),
  includeTriggers: z
    .boolean()
    .optional()
    .describe('Operations that subscribe (x-ms-trigger). Default: false.'),
  hints: hintsShape.optional().describe('As `hints` of the source.'),
  permissions: closed({
    enabled: z.boolean(),
    extension: text.optional(),
    scopes: z.boolean().optional(),
  })
    .optional()
    .describe('As `permissions` of the source.'),
};

const KIND_SETTINGS: Readonly<Record<SourceKindName, z.ZodType>> = {
  openapi: z
    .union([text, closed(openApiShape)])
    .describe('Path or URL of an OpenAPI 2.0, 3.0, 3.1 or 3.2 document, or an object with "document".'),
  manifest: z
    .union([
      text,
      closed({ file: text }),
      z.looseObject({ provider: text, operations: z.array(z.unknown()) }),
    ])
    .describe(
      'A shipped provider (greenhouse, greenhouse-v3, zoho-recruit, lever), a manifest file, or the manifest itself.',
    ),
  mcp: mcpShape.describe('An upstream MCP server.'),
  function: z.unknown(),
  self: closed({}).describe("The gateway's own HTTP API as a source."),
  web: webShape().describe('Web search, page reading and retrieval.'),
  package: z
    .union([text, z.array(text).min(1)])
    .describe('Folders of tool packages; their code runs in this process.'),
  azure: azureShape.describe('API connections of an Azure resource group.'),
  skills: skillsShape.describe('Folders of skills, each a folder with SKILL.md; later ones win.'),
  n8n: n8nShape.describe('Workflows of an n8n instance that begin with a webhook.'),
};

/** One source: exactly one of the kinds, which checks its own settings later, and what every kind shares. */
export function source(kinds: readonly string[], topologyName: z.ZodType<string>) {
  const own: Readonly<Record<string, z.ZodType>> = KIND_SETTINGS;
  const kindShape = Object.fromEntries(kinds.map((kind) => [kind, (own[kind] ?? z.unknown()).optional()]));
  const surface = {
    topology: topologyName
      .optional()
      .describe("Default: the gateway's; flat for manifests, azure and skills."),
    shaping: shapingShape.optional(),
  };
  const ofOpenApi = (key: string) =>
    Object.hasOwn(openApiShape, key)
      ? ` It belongs within openapi: { ${key === 'document' ? '' : 'document: …, '}${key}: … }.`
      : undefined;
  const otherwise = 'A source says by a key what it is, such as { openapi: ./shop.yaml }.';
  return closed({ ...kindShape, ...shared, ...surface }, ofOpenApi, otherwise).superRefine(
    (value, context) => {
      const given = value as Record<string, unknown>;
      const named = kinds.filter((kind) => given[kind] !== undefined);
      for (const { key, message } of sourceConflicts(given, named[0]))
        context.addIssue({ code: 'custom', path: [key], message });
      if (named.length === 1) return;
      const message =
        named.length === 0
          ? `A source needs one of the kinds ${kinds.join(', ')}.`
          : `A source has one kind; this one names ${named.join(' and ')}.`;
      context.addIssue({ code: 'custom', message });
    },
  );
}
