import { z } from 'zod';
import { didYouMean } from '../operations/nearest-name.ts';
import { approvalsShape } from './approvals-schema.ts';
import { azureSettingsSchema } from './azure-schema.ts';
import { budgetShape, costShape } from './budgets-schema.ts';
import { chatShape } from './chat-schema.ts';
import { featuresShape } from './features-schema.ts';
import { hintsShape } from './hints-schema.ts';
import { DURATION, SIZE } from './measures.ts';
import { permissionsShape } from './permissions-schema.ts';
import { artifactsShape, eventsShape, telemetryShape } from './records-schema.ts';
import { searchShape } from './search-schema.ts';
import { selectorShape } from './selector-schema.ts';
import { skillPolicyShape, skillsSettingsSchema } from './skills-schema.ts';
import { shapingShape, topologyShape } from './topology-schema.ts';
import { taintShape, untrustedShape } from './untrusted-schema.ts';
import { mcpSettings } from './upstream-schema.ts';
import { webSettings } from './web-schema.ts';

/** An object that refuses keys it does not know, naming the nearest one that it does. */
function closed<T extends z.core.$ZodShape>(shape: T) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? (issue['keys'] as string[]).map((key) => `Unknown key "${key}".${didYouMean(key, known)}`).join(' ')
        : undefined,
  });
}

const NO_INTERPOLATION = 'Write { env: NAME } to read an environment variable; text is taken as it stands.';
const text = z.string().min(1, 'Must not be empty.');
const literalText = text.refine((value) => !/^\$\{?\w+\}?$/.test(value), NO_INTERPOLATION);
const httpUrl = text.refine(isHttpUrl, 'Must be an absolute http or https URL.');
const secret = z
  .union([literalText, closed({ env: text }), closed({ file: text })])
  .describe('The value itself, { env: NAME } or { file: PATH }, read when it is needed.');
const duration = z.union([
  z.int().positive(),
  z.string().regex(DURATION, 'Write a duration such as 30s, 500ms or 2m, or a number of milliseconds.'),
]);
const size = z.union([
  z.int().positive(),
  z.string().regex(SIZE, 'Write a size such as 10MB or 512KiB, or a number of bytes.'),
]);
const SOURCE_NAME = /^(?!constructor$|prototype$)[A-Za-z][A-Za-z0-9_-]{0,31}$/;
const sourceName = z
  .string()
  .regex(SOURCE_NAME, 'A source name is a letter, then at most 31 letters, digits, "_" or "-".');

const settings = {
  bearer: secret.optional().describe('For http bearer, OAuth 2 and OpenID Connect schemes.'),
  basic: closed({
    username: secret,
    password: z.union([secret, z.literal('')]).describe('Empty where an API key is the user name.'),
  }).optional(),
  apiKey: secret.optional().describe('For apiKey schemes, in header, query or cookie.'),
  oauth2: closed({
    clientId: secret,
    clientSecret: secret.optional(),
    refreshToken: secret.optional(),
    tokenUrl: httpUrl.optional().describe("Default: the document's."),
    scopes: z.array(text).optional(),
    audience: text.optional(),
    clientAuthentication: z
      .enum(['basic', 'body'])
      .optional()
      .describe('How the client names itself at the token address. Default: basic.'),
  }).optional(),
  nango: closed({
    integration: text.describe("Nango's provider_config_key."),
    connection: text.optional().describe('Connection id; connection records name their own.'),
    secretKey: secret.optional().describe('Default: { env: NANGO_SECRET_KEY }.'),
    baseUrl: httpUrl.optional().describe('Self-hosted address.'),
    route: z.enum(['current', 'deprecated']).optional(),
  }).optional(),
};

const credentials = z.union([
  z.literal('none').describe('Send no credential, even where the document asks for one.'),
  closed({
    ...settings,
    schemes: z
      .record(text, closed(settings))
      .optional()
      .describe("By the name of the document's security scheme."),
  }),
]);

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

const mcpServer = z.union([
  z.looseObject({
    type: z.literal('stdio').optional(),
    command: text,
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    cwd: text.optional(),
  }),
  z.looseObject({
    type: z.enum(['http', 'sse', 'streamable-http', 'streamableHttp']).optional(),
    url: text,
    headers: z.record(z.string(), z.string()).optional(),
  }),
]);
export const mcpServers = z.record(text, mcpServer);

const levels = z.record(
  z.string().regex(/^(?:\*|[a-z][a-z0-9-]{0,31})$/),
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
  headers: z
    .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'Is no HTTP header name.'), secret)
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
    timeout: duration.optional().describe('Whole call with redirects and retries.'),
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

const KIND_SETTINGS: Readonly<Record<string, z.ZodType>> = {
  openapi: z
    .union([text, z.looseObject({})])
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
  mcp: mcpSettings({ closed, text, httpUrl, secret, duration }).describe('An upstream MCP server.'),
  self: z.strictObject({}).describe("The gateway's own HTTP API as a source."),
  web: webSettings({ closed, text, httpUrl, secret }).describe('Web search, page reading and retrieval.'),
  package: z
    .union([text, z.array(text).min(1)])
    .describe('Folders of tool packages; their code runs in this process.'),
  azure: azureSettingsSchema({ closed, text, httpUrl, duration }).describe(
    'API connections of an Azure resource group.',
  ),
  skills: skillsSettingsSchema({ closed, text, secret, httpUrl }).describe(
    'Folders of skills, each a folder with SKILL.md; later ones win.',
  ),
  n8n: z
    .looseObject({ url: httpUrl, apiKey: secret.optional() })
    .describe('Workflows of an n8n instance that begin with a webhook.'),
};

/** One source: exactly one of the kinds, which checks its own settings later, and what every kind shares. */
function source(kinds: readonly string[], topologyName: z.ZodType<string>) {
  const kindShape = Object.fromEntries(
    kinds.map((kind) => [kind, (KIND_SETTINGS[kind] ?? z.unknown()).optional()]),
  );
  const surface = {
    topology: topologyName
      .optional()
      .describe("Default: the gateway's; flat for manifests, azure and skills."),
    shaping: shapingShape.optional(),
  };
  return closed({ ...kindShape, ...shared, ...surface }).superRefine((value, context) => {
    const named = kinds.filter((kind) => (value as Record<string, unknown>)[kind] !== undefined);
    if (named.length === 1) return;
    const message =
      named.length === 0
        ? `A source needs one of the kinds ${kinds.join(', ')}.`
        : `A source has one kind; this one names ${named.join(' and ')}.`;
    context.addIssue({ code: 'custom', message });
  });
}

/** The whole file. `kinds` and `topologies` are what this program has registered. */
export function configurationSchema(kinds: readonly string[], topologies: readonly string[]) {
  const topologyName = z
    .string()
    .refine((name) => topologies.includes(name), {
      error: (issue) =>
        `There is no topology "${issue.input}" in this version; it has: ${topologies.join(', ')}.`,
    })
    .meta({ enum: [...topologies] });
  return closed({
    $schema: text.optional(),
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'A name has letters, digits, ".", "_" or "-".')
      .optional()
      .describe('What clients see as the name of this server. Default: toolcrib.'),
    topology: topologyShape(topologyName)
      .optional()
      .describe('How operations become tools. Default: auto, the richest that fits tokenBudget.'),
    tokenBudget: z
      .int()
      .min(100)
      .optional()
      .describe('Tokens (o200k) that the published list may take under auto. Default: 20000.'),
    shaping: shapingShape.optional().describe('What becomes of list answers.'),
    search: searchShape(httpUrl, secret).optional().describe('How operations are found.'),
    stateDirectory: text.optional().describe('Default: toolcrib in XDG_STATE_HOME or LOCALAPPDATA.'),
    sources: z
      .record(sourceName, source(kinds, topologyName))
      .optional()
      .describe('By name: each has exactly one kind, and what every kind shares.'),
    store: secret
      .optional()
      .describe('sqlite:PATH, a postgres:// URL or none. Default: SQLite in the state directory.'),
    auth: closed({
      mode: z
        .enum(['local', 'team'])
        .optional()
        .describe('team: every HTTP caller shows an API key or a sign-in token. Default: local.'),
      jwt: closed({
        issuer: httpUrl.describe('The iss claim of its tokens.'),
        audience: text.describe('The aud claim that they must have.'),
        jwksUrl: httpUrl.optional().describe('Default: .well-known/jwks.json below the issuer.'),
        claims: closed({
          user: text.optional().describe('Default: sub.'),
          organisation: text.optional().describe('Default: org_id.'),
          roles: text.optional().describe('Default: roles.'),
        })
          .optional()
          .describe('Names of claims.'),
      })
        .optional()
        .describe('Sign-in tokens of an identity provider.'),
    }).optional(),
    policy: closed({
      defaults: closed({
        organisation: levels
          .optional()
          .describe('What a new organisation allows, by category; * for others.'),
        user: levels.optional().describe('What a new user chose, by category; * for others.'),
      }).optional(),
      approvals: approvalsShape.optional().describe('Which calls a person must agree to.'),
      budgets: z.array(budgetShape).optional().describe('The most that callers may use.'),
      skills: skillPolicyShape({ closed, text, duration })
        .optional()
        .describe('How tools that skills bring may run, and who sees them.'),
      taint: taintShape.optional().describe('What is allowed after untrusted content was read.'),
    }).optional(),
    environment: z
      .enum(['development', 'production'])
      .optional()
      .describe(
        'production: tools of skills are for policy.skills.roles, and of the selected skill. Default: development.',
      ),
    chat: chatShape({ closed, text, httpUrl, secret })
      .optional()
      .describe('The model behind `toolcrib chat` and POST /api/v1/chat.'),
    retention: closed({
      eventDays: z.int().min(1).max(3650).optional().describe('Events and decided approvals. Default: 30.'),
      usageDays: z.int().min(1).max(3650).optional().describe('The usage log. Default: 400.'),
    }).optional(),
    artifacts: artifactsShape.optional().describe('Where full outputs are kept, how many and for how long.'),
    events: eventsShape.optional().describe('Who is told of events.'),
    telemetry: telemetryShape.optional().describe('OpenTelemetry traces and metrics.'),
    tools: z
      .enum(['static', 'dynamic', 'both'])
      .optional()
      .describe("Generic tools of a category, the providers' own, or both. Default: dynamic."),
    categories: z.array(text).optional().describe('Category files with generic tools of your own.'),
    mcpServers: mcpServers
      .optional()
      .describe('As other clients write it: each entry is a source of that name.'),
    egress: closed({
      allow: z
        .array(text)
        .optional()
        .describe('Private or loopback destinations: host, host:port or an origin.'),
    }).optional(),
    lock: closed({
      mode: z
        .enum(['accept', 'warn', 'quarantine'])
        .optional()
        .describe('What happens to a tool whose definition differs from the lock. Default: warn.'),
      file: text.optional().describe('Default: toolcrib.lock.json beside the configuration.'),
      report: text.optional().describe('Default: toolcrib.report.json beside the configuration.'),
    }).optional(),
    output: closed({
      strict: z.boolean().optional().describe('An answer that does not fit its schema is an error.'),
      schemas: z.boolean().optional().describe('Publish output schemas. Default: true.'),
      untrusted: untrustedShape.optional().describe('What becomes of text that strangers wrote.'),
    }).optional(),
    server: closed({
      host: text.optional().describe('Default: 127.0.0.1. Any other than loopback needs a token.'),
      port: z.int().min(0).max(65_535).optional().describe('Default: 8787; 0 takes a free one.'),
      token: secret
        .optional()
        .describe("Every request shows it as its bearer; in a team it is the operator's."),
      allowedHosts: z
        .array(text)
        .optional()
        .describe('Host headers accepted beside the bound address and localhost.'),
      allowedOrigins: z.array(text).optional().describe('Origin headers accepted beside the own.'),
      maxBodySize: size.optional().describe('Of one request. Default: 4MiB.'),
      drain: duration.optional().describe('How long calls may finish after a stop signal.'),
      console: z.boolean().optional().describe('Serve the web console at /. Default: true.'),
      sessions: closed({
        idle: duration.optional().describe('Ends a session that nobody uses. Default: 12h.'),
        absolute: duration.optional().describe('Ends every session. Default: 168h.'),
      })
        .optional()
        .describe('How long a browser stays signed in to the console.'),
    }).optional(),
    enable_daos: z.boolean().optional().describe('Switches the feature daos of every source that has it.'),
    enable_specialty_features: z
      .boolean()
      .optional()
      .describe('Switches the feature specialty of every source that has it.'),
    schemaProfile: z
      .enum(['portable', 'no-refs'])
      .optional()
      .describe('no-refs: schemas of tools without $ref, for clients that know none. Default: portable.'),
    watch: z
      .boolean()
      .optional()
      .describe('Compile again when a document or this file changes. Default: true.'),
    cache: z.boolean().optional().describe('Keep compiled documents between starts. Default: true.'),
  });
}

export type ConfigurationFile = z.infer<ReturnType<typeof configurationSchema>>;

function isHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '';
}
