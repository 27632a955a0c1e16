import { z } from 'zod';
import { headerName } from '../../operations/http/header-shapes.ts';
import type { SecretReference } from '../../operations/index.ts';
import { secretShape } from '../secret-shape.ts';
import { type Annotation, annotationShape } from './annotation.ts';

/** How a webhook asks for authentication, in the words of the configuration. */
export type WebhookAuthentication = 'none' | 'basic' | 'header' | 'jwt';

/** When and with what a webhook answers; n8n's own names. */
export const RESPONSE_MODES = ['onReceived', 'lastNode', 'responseNode', 'streaming'] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];

export const WEBHOOK_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;
export type WebhookMethod = (typeof WEBHOOK_METHODS)[number];

/** A workflow that the operator lists, where no API key is at hand. */
export interface ListedWorkflow extends Annotation {
  readonly name: string;
  /** As the Webhook node says it, without the `webhook/` in front; `:id` marks a path parameter. */
  readonly path: string;
  readonly method?: WebhookMethod | undefined;
  readonly authentication?: WebhookAuthentication | undefined;
  /** Name of the security scheme; default: the kind of authentication. */
  readonly credential?: string | undefined;
  readonly responseMode?: ResponseMode | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface N8nConfig {
  /** Base URL of the instance, N8N_PATH included. */
  readonly url: string;
  /** Key of the public API; without one only `workflows` are offered. */
  readonly apiKey?: SecretReference | undefined;
  /** Public base of the webhooks, where it is another than `url` (WEBHOOK_URL). */
  readonly webhookUrl?: string | undefined;
  /** N8N_ENDPOINT_WEBHOOK; default `webhook`. */
  readonly endpoint?: string | undefined;
  /** Only workflows that carry all of these tags. */
  readonly tags?: readonly string[] | undefined;
  readonly project?: string | undefined;
  /** Names or ids of workflows; `*` stands for anything. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly workflows?: readonly ListedWorkflow[] | undefined;
  /** File with annotations, by workflow name or id. */
  readonly schemas?: string | undefined;
  /** Header names, by the name of n8n's Header Auth credential; `*` for all others. */
  readonly authHeaders?: Readonly<Record<string, string>> | undefined;
  /** Whether samples in pinned data become schemas. Default: true. */
  readonly pinnedData?: boolean | undefined;
  /** How often the workflows are listed again; `false`: only when asked to. Default: 30s. */
  readonly refresh?: string | number | false | undefined;
}

const text = z.string().min(1, 'Must not be empty.');
const httpUrl = text.refine((value) => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '';
}, 'Must be an absolute http or https URL without user information and query.');

const listed = z.strictObject({
  ...annotationShape,
  name: text,
  path: text,
  method: z.enum(WEBHOOK_METHODS).optional(),
  authentication: z.enum(['none', 'basic', 'header', 'jwt']).optional(),
  credential: text.optional(),
  responseMode: z.enum(RESPONSE_MODES).optional(),
  tags: z.array(text).optional(),
});

export const n8nConfig: z.ZodType<N8nConfig> = z
  .strictObject({
    url: httpUrl,
    apiKey: secretShape.optional(),
    webhookUrl: httpUrl.optional(),
    endpoint: z
      .string()
      .regex(/^[\w-]+(?:\/[\w-]+)*$/, 'Is no path.')
      .optional(),
    tags: z.array(text).optional(),
    project: text.optional(),
    include: z.array(text).optional(),
    exclude: z.array(text).optional(),
    workflows: z.array(listed).optional(),
    schemas: text.optional(),
    authHeaders: z.record(text, headerName).optional(),
    pinnedData: z.boolean().optional(),
    refresh: z
      .union([
        z.literal(false),
        z.int().min(1000),
        z.string().regex(/^\d+(?:\.\d+)?\s?(?:s|m|h)$/, 'Write a duration such as 30s or 5m, or false.'),
      ])
      .optional(),
  })
  .refine(
    ({ apiKey, workflows }) => apiKey !== undefined || (workflows !== undefined && workflows.length > 0),
    'Set apiKey to find the workflows, or list them in workflows.',
  );
