import { z } from 'zod';
import { sentHeaderName } from '../../operations/http/header-shapes.ts';
import { closed, duration, httpUrl, redirectUri, secret, text } from './values.ts';

const OF_PROCESSES = ['args', 'env', 'cwd', 'inherit', 'isolation'];
const OF_ADDRESSES = ['type', 'headers', 'oauth'];

const variable = z.string().regex(/^[A-Za-z_]\w*$/, 'Is no name of an environment variable.');
const isolation = z.union([
  z.enum(['none', 'bubblewrap']),
  closed({
    mode: z.enum(['none', 'bubblewrap']),
    network: z.boolean().optional().describe('Default: true.'),
    read: z.array(text).optional().describe('Folders and files beside what a program needs to run.'),
    write: z.array(text).optional(),
  }).refine(
    ({ mode, ...limits }) => mode !== 'none' || Object.values(limits).every((limit) => limit === undefined),
    'Write mode: bubblewrap: with none, what stands beside it keeps the server from nothing.',
  ),
]);
const oauth = z.union([
  z.literal('none'),
  closed({
    issuer: httpUrl
      .optional()
      .describe('The one authorization server that may be asked. Default: the one that the server names.'),
    clientId: secret.optional(),
    clientSecret: secret.optional(),
    clientAuthentication: z
      .enum(['basic', 'body'])
      .optional()
      .describe('How the client names itself at the token address. Default: as its metadata say.'),
    clientMetadataUrl: httpUrl.optional().describe('A client-id metadata document.'),
    scopes: z.array(text).optional(),
    redirectUri: redirectUri.optional(),
    authorizationParameters: z
      .record(text, z.string())
      .optional()
      .describe('Added to the address of the sign-in; an empty text leaves one out, such as `prompt`.'),
    tokenFile: text.optional().describe('Where tokens are kept. Default: in memory until the process ends.'),
    grant: z.enum(['authorization_code', 'client_credentials']).optional(),
  }),
]);

/** `sources: { files: { mcp: … } }`: a server that is started, or one that is reached at an address. */
export const mcpShape: z.ZodType = closed({
  command: text.optional().describe('Program that speaks MCP on standard input and output.'),
  args: z.array(z.string()).optional(),
  env: z.record(variable, z.union([secret, z.literal('')])).optional(),
  inherit: z.array(variable).optional().describe('Environment variables that are passed on.'),
  cwd: text.optional(),
  isolation: isolation.optional().describe('What the process reaches. Default: none.'),
  url: httpUrl.optional().describe('Address of a server; allowed by the egress door.'),
  type: z
    .enum(['http', 'sse', 'streamable-http'])
    .optional()
    .describe('http falls back to sse where the server knows no other. Default: http.'),
  headers: z.record(sentHeaderName, secret).optional().describe('Sent on every request.'),
  oauth: oauth.optional(),
  era: z
    .enum(['auto', 'legacy', 'modern'])
    .optional()
    .describe('legacy: revisions up to 2025-11-25; modern: 2026-07-28. Default: auto.'),
  share: z
    .enum(['one', 'principal'])
    .optional()
    .describe('One process or connection for all, or one for each principal. Default: one.'),
  startTimeout: duration.optional().describe('For start and handshake. Default: 30s.'),
  idle: z
    .union([duration, z.literal(0)])
    .optional()
    .describe('Stopped after this long without a call; 0: never. Default: 10m.'),
  hang: duration
    .optional()
    .describe('How long a busy server may leave a ping unanswered. Default: 1m; of remote servers 30s.'),
  restart: z.boolean().optional().describe('Started again when it fails. Default: true.'),
  patience: duration
    .optional()
    .describe("How long a start waits for the server's list before the last known one is used. Default: 3s."),
}).superRefine((value, context) => {
  const given: Record<string, unknown> = value;
  const has = (key: string) => given[key] !== undefined;
  if (has('command') === has('url')) {
    context.addIssue({ code: 'custom', message: 'Name either a command or a url.' });
    return;
  }
  const [what, foreign] = has('command') ? ['command', OF_ADDRESSES] : ['url', OF_PROCESSES];
  for (const key of foreign as string[]) {
    if (has(key)) {
      context.addIssue({
        code: 'custom',
        path: [key],
        message: `Means nothing beside "${what as string}".`,
      });
    }
  }
});
