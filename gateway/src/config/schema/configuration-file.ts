import { z } from 'zod';
import { nearestName } from '../../operations/text/nearest-name.ts';
import { isListenHost, LISTEN_HOST } from '../server-address.ts';
import { approvalsShape } from './approvals.ts';
import { budgetShape } from './budgets.ts';
import { chatShape } from './chat.ts';
import { consoleSignInShape } from './console-sign-in.ts';
import { artifactsShape, eventsShape, tasksShape, telemetryShape } from './records.ts';
import { searchShape } from './search.ts';
import { skillPolicyShape } from './skills.ts';
import { levels, mcpServers, source } from './source.ts';
import { shapingShape, topologyShape } from './topology.ts';
import { taintShape, untrustedShape } from './untrusted.ts';
import {
  bypassed,
  closed,
  destination,
  duration,
  hostName,
  httpUrl,
  lifetime,
  pageOrigin,
  publicOrigin,
  scope,
  secret,
  size,
  sourceName,
  startSecret,
  text,
} from './values.ts';

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
    search: searchShape.optional().describe('How operations are found.'),
    stateDirectory: text.optional().describe('Default: toolcrib in XDG_STATE_HOME or LOCALAPPDATA.'),
    sources: z
      .record(sourceName, source(kinds, topologyName))
      .optional()
      .describe('By name: each has exactly one kind, and what every kind shares.'),
    store: startSecret
      .optional()
      .describe('sqlite:PATH, a postgres:// URL or none. Default: SQLite in the state directory.'),
    auth: closed({
      mode: z
        .enum(['local', 'team'])
        .optional()
        .describe('team: every HTTP caller shows an API key or a sign-in token. Default: local.'),
      jwt: closed({
        issuer: httpUrl.describe('The iss claim of its tokens.'),
        audience: z
          .union([text, z.array(text).min(1)])
          .describe('The aud claim that they must have: one of these.'),
        jwksUrl: httpUrl
          .optional()
          .describe("Default: the issuer's metadata name it, else .well-known/jwks.json below the issuer."),
        scopes: z
          .array(scope)
          .max(100)
          .optional()
          .describe('What clients ask for when they sign in. No token must have them.'),
        claims: closed({
          user: text.optional().describe('Default: sub.'),
          organisation: text.optional().describe('Default: org_id.'),
          roles: text.optional().describe('Default: roles.'),
        })
          .optional()
          .describe('Names of claims.'),
        console: consoleSignInShape
          .optional()
          .describe('Lets people sign in to the console at the provider. Default: with a key or a token.'),
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
      skills: skillPolicyShape.optional().describe('How tools that skills bring may run, and who sees them.'),
      taint: taintShape.optional().describe('What is allowed after untrusted content was read.'),
    }).optional(),
    environment: z
      .enum(['development', 'production'])
      .optional()
      .describe(
        'production: tools of skills are for policy.skills.roles, and of the selected skill. Default: development.',
      ),
    chat: chatShape.optional().describe('The model behind `toolcrib chat` and POST /api/v1/chat.'),
    tasks: tasksShape
      .optional()
      .describe('When calls become tasks, for clients of the MCP extension Tasks. off: never.'),
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
    egress: closed(
      {
        allow: z
          .array(destination)
          .optional()
          .describe('Private or loopback destinations: host, host:port or an origin.'),
        proxy: closed({
          url: startSecret.describe('An http or https origin, with user:password@ where it asks for them.'),
          resolve: z
            .enum(['here', 'proxy'])
            .optional()
            .describe(
              'Who resolves names: here (default) checks every address; proxy where only it can, which then must keep names from leading to internal addresses.',
            ),
          bypass: z
            .array(bypassed)
            .optional()
            .describe('Reached directly: host, host:port, an origin, or .suffix for a domain.'),
        })
          .optional()
          .describe(
            'Leads to public addresses by CONNECT. Default: the variable TOOLCRIB_PROXY, else directly.',
          ),
      },
      likeAllowPrivate,
    ).optional(),
    lock: closed({
      mode: z
        .enum(['accept', 'warn', 'quarantine'])
        .optional()
        .describe('What happens to a tool whose definition differs from the lock. Default: warn.'),
      file: text
        .optional()
        .describe(
          'Default: toolcrib.lock.json beside the configuration, or with the state where that folder is read-only.',
        ),
      report: text.optional().describe('Default: toolcrib.report.json beside the configuration.'),
    }).optional(),
    output: closed({
      strict: z.boolean().optional().describe('An answer that does not fit its schema is an error.'),
      schemas: z.boolean().optional().describe('Publish output schemas. Default: true.'),
      untrusted: untrustedShape.optional().describe('What becomes of text that strangers wrote.'),
    }).optional(),
    server: closed({
      host: text
        .refine((value) => value === '' || isListenHost(value), LISTEN_HOST)
        .optional()
        .describe('Default: 127.0.0.1. Any other than loopback needs a token.'),
      port: z.int().min(0).max(65_535).optional().describe('Default: 8787; 0 takes a free one.'),
      publicUrl: publicOrigin
        .optional()
        .describe('Where clients and people reach it: an origin. Default: as each request is addressed.'),
      token: startSecret
        .optional()
        .describe("Every request shows it as its bearer; in a team it is the operator's."),
      tls: closed({
        certificate: secret.describe('PEM, its chain behind it.'),
        key: secret.describe('Its private key, PEM.'),
        passphrase: secret.optional().describe('Opens the key.'),
      })
        .optional()
        .describe('Speaks https. Files that are exchanged count within a minute. Default: http.'),
      allowedHosts: z
        .array(hostName)
        .optional()
        .describe('Host headers accepted beside the bound address and localhost: host or host:port.'),
      allowedOrigins: z.array(pageOrigin).optional().describe('Origin headers accepted beside the own.'),
      maxBodySize: size.optional().describe('Of one request. Default: 4MiB.'),
      drain: duration.optional().describe('How long calls may finish after a stop signal.'),
      console: z.boolean().optional().describe('Serve the web console at /. Default: true.'),
      sessions: closed({
        idle: lifetime.optional().describe('Ends a session that nobody uses. Default: 12h.'),
        absolute: lifetime.optional().describe('Ends every session. Default: 168h.'),
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

/** The option of the command line is known better than the key. */
function likeAllowPrivate(key: string): string | undefined {
  const isMeant = nearestName(key, ['allowPrivate']) !== undefined;
  return isMeant ? ' What --allow-private names stands in "allow".' : undefined;
}
