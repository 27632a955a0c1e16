import type { Diagnostic, JsonObject, Operation, Skipped } from '../../operations/index.ts';
import { trimEndOf } from '../../operations/text/trim-runs.ts';
import { type Annotation, AnnotationInvalid } from './annotation.ts';
import type { N8nConfig } from './config.ts';
import { webhookOperation } from './operation.ts';
import { SecuritySchemes } from './security.ts';
import type { Sidecar } from './sidecar.ts';
import { type Webhook, WebhookUnusable } from './webhook.ts';
import type { Workflow } from './workflow.ts';

/** One webhook with all that is said of it. */
export interface FoundWebhook {
  readonly workflow: Pick<Workflow, 'name' | 'description' | 'tags'>;
  readonly webhook: Webhook;
  readonly annotation: Annotation;
  /** Distinguishes the webhooks of one workflow. */
  readonly part?: string | undefined;
  readonly sample?: JsonObject | undefined;
}

/** What is put together while the workflows are read. */
export class Reading {
  readonly config: N8nConfig;
  readonly source: string;
  readonly sidecar: Sidecar;
  readonly schemes: SecuritySchemes;
  readonly operations = new Map<string, Operation>();
  readonly skipped: Skipped[] = [];
  readonly diagnostics: Diagnostic[] = [];
  /** Addresses that the operator listed: they stand, whatever the API says. */
  readonly #listed = new Set<string>();

  constructor(config: N8nConfig, source: string, sidecar: Sidecar) {
    this.config = config;
    this.source = source;
    this.sidecar = sidecar;
    this.schemes = new SecuritySchemes(config);
  }

  /** Throws WebhookUnusable. */
  add({ webhook, annotation, ...found }: FoundWebhook, byHand: boolean): void {
    const { url, webhookUrl = url, endpoint = 'webhook' } = this.config;
    const { authentication, credential } = webhook;
    const operation = webhookOperation({
      source: this.source,
      base: trimEndOf(webhookUrl, '/'),
      endpoint,
      webhook,
      annotation,
      workflow: found.workflow,
      part: found.part,
      sample: found.sample,
      security: this.schemes.alternatives({ authentication, credential, header: annotation.header }),
    });
    const { id } = operation;
    if (byHand) this.#listed.add(id);
    if (!this.operations.has(id)) this.operations.set(id, operation);
    else if (byHand || !this.#listed.has(id)) {
      const name = JSON.stringify(found.workflow.name);
      this.report(
        'n8n-address-twice',
        `Workflow ${name} answers at ${id}, as another does: that one is described.`,
      );
    }
  }

  /** A webhook that cannot be used costs itself alone; any other error goes on. */
  skip(
    error: unknown,
    workflow: string,
    node: string | undefined,
    webhook?: Pick<Webhook, 'method' | 'path'>,
  ): void {
    if (!(error instanceof WebhookUnusable) && !(error instanceof AnnotationInvalid)) throw error;
    const place = `${node === undefined ? 'Workflow' : `Node ${JSON.stringify(node)} of workflow`} ${JSON.stringify(workflow)}`;
    const reason = `${place} is left out: ${error.message.replace(/\.$/, '')}.`;
    const { endpoint = 'webhook' } = this.config;
    this.skipped.push({
      method: webhook?.method ?? 'CALL',
      path: webhook === undefined ? workflow : `/${endpoint}/${webhook.path}`,
      reason,
    });
    this.report(error instanceof WebhookUnusable ? error.code : 'n8n-annotation-invalid', reason);
  }

  report(code: string, message: string): void {
    this.diagnostics.push({ code, severity: 'warning', message });
  }
}
