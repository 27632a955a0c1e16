import type { SecretReference } from '../../operations/index.ts';
import type { Annotation } from './annotation.ts';

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

/** Settings of one instance, as the configuration has read them. */
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
