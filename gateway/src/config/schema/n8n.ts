import { z } from 'zod';
import { headerName } from '../../operations/http/header-shapes.ts';
import { isObject } from '../../operations/index.ts';
import { milliseconds } from '../measures.ts';
import { closed, httpUrl, secret, text } from './values.ts';

/** As n8n's API and its webhooks are found below it. */
const baseUrl = httpUrl.refine((value) => !value.includes('?'), 'Must be an address without a query.');
const jsonSchema = z.record(z.string(), z.unknown()).refine(isObject, 'Must be a JSON Schema, as an object.');

const WRITTEN = /^\d+(?:\.\d+)?\s?(?:s|m|h)$/;
const REFRESH = 'Write a duration such as 30s or 5m, at least 1s, or false.';

const listedWorkflow = closed({
  name: text,
  path: text.describe('As the Webhook node says it; :id marks a path parameter.'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']).optional(),
  authentication: z.enum(['none', 'basic', 'header', 'jwt']).optional(),
  credential: text.optional().describe('Name of the security scheme. Default: the kind of authentication.'),
  header: headerName.optional().describe('Header of Header Auth.'),
  responseMode: z.enum(['onReceived', 'lastNode', 'responseNode', 'streaming']).optional(),
  tags: z.array(text).optional(),
  title: text.max(120).optional(),
  description: text.max(4000).optional(),
  access: z.enum(['read', 'write', 'delete', 'dangerous']).optional(),
  idempotent: z.boolean().optional(),
  query: z.array(text).optional().describe('Properties of the input that go into the query beside a body.'),
  timeout: z.number().positive().max(3600).optional().describe('Seconds that one call may take.'),
  input: jsonSchema.optional(),
  output: jsonSchema.optional(),
});

/** `sources: { flows: { n8n: … } }`: workflows that begin with a webhook. */
export const n8nShape = closed({
  url: baseUrl.describe('Base URL of the instance, with N8N_PATH.'),
  apiKey: secret.optional().describe('Key of the public API; without one only `workflows` are offered.'),
  webhookUrl: baseUrl
    .optional()
    .describe('Public base of the webhooks, where it is another (WEBHOOK_URL). Default: url.'),
  endpoint: z
    .string()
    .regex(/^[\w-]+(?:\/[\w-]+)*$/, 'Is no path.')
    .optional()
    .describe('N8N_ENDPOINT_WEBHOOK. Default: webhook.'),
  tags: z.array(text).optional().describe('Only workflows with all of these tags.'),
  project: text.optional().describe('Only workflows of this project.'),
  include: z.array(text).optional().describe('Only these, by name or id; * stands for anything.'),
  exclude: z.array(text).optional().describe('Not these.'),
  workflows: z.array(listedWorkflow).optional().describe('Listed by hand.'),
  schemas: text.optional().describe('A file with annotations, by workflow name or id.'),
  authHeaders: z
    .record(text, headerName)
    .optional()
    .describe('Header names of Header Auth, by the name of the credential in n8n; * for all others.'),
  pinnedData: z.boolean().optional().describe('Take the shape of pinned samples as input. Default: true.'),
  refresh: z
    .union([
      z.literal(false),
      z.int().min(1000, REFRESH),
      z
        .string()
        .regex(WRITTEN, REFRESH)
        .refine((given) => !WRITTEN.test(given) || milliseconds(given) >= 1000, REFRESH),
    ])
    .optional()
    .describe('How soon a changed workflow changes its tool. Default: 30s.'),
}).refine(
  ({ apiKey, workflows }) => apiKey !== undefined || (workflows !== undefined && workflows.length > 0),
  'Set apiKey to find the workflows, or list them in workflows.',
);

/** What `n8n:` may hold, once its schema has checked it. */
export type N8nEntry = z.infer<typeof n8nShape>;
