import { resolve } from 'node:path';
import {
  canonicalHash,
  type Description,
  type Diagnostic,
  emptyDescription,
  type Operation,
  type SecretReference,
  type Skipped,
} from '../../operations/index.ts';
import type { SourceContext } from '../source-kind.ts';
import { type Annotation, AnnotationInvalid, mergeAnnotations } from './annotation.ts';
import { listWorkflows } from './api.ts';
import type { ListedWorkflow, N8nConfig } from './config.ts';
import { notesOf } from './notes.ts';
import { webhookOperation } from './operation.ts';
import { SecuritySchemes } from './security.ts';
import { readSidecar, type Sidecar } from './sidecar.ts';
import { pathTemplate, WEBHOOK_NODE, type Webhook, WebhookUnusable, webhooksOf } from './webhook.ts';
import type { Workflow, WorkflowNode } from './workflow.ts';

/** What is put together while the workflows are read. */
interface Reading {
  readonly config: N8nConfig;
  readonly source: string;
  readonly sidecar: Sidecar;
  readonly schemes: SecuritySchemes;
  readonly operations: Map<string, Operation>;
  /** Addresses that the operator listed: they stand, whatever the API says. */
  readonly listed: Set<string>;
  readonly skipped: Skipped[];
  readonly diagnostics: Diagnostic[];
}

/**
 * The webhooks of an n8n instance as operations: what is listed by hand, then what its public API shows. A webhook that
 * cannot be used costs itself alone. Throws `source_unreadable`, `source_invalid`, `credentials_missing`.
 */
export async function describeN8n(config: N8nConfig, context: SourceContext): Promise<Description> {
  const reading: Reading = {
    config,
    source: context.name,
    sidecar: await readSidecar(config.schemas, context),
    schemes: new SecuritySchemes(config),
    operations: new Map(),
    listed: new Set(),
    skipped: [],
    diagnostics: [],
  };
  for (const listed of config.workflows ?? []) readListed(reading, listed);
  for (const id of reading.operations.keys()) reading.listed.add(id);
  if (config.apiKey !== undefined) {
    const apiKey = absolute(config.apiKey, context.baseDirectory);
    const found = await listWorkflows(config, apiKey, context);
    // The order of the API is that of the last change; names must not depend on it.
    for (const workflow of [...found].sort((a, b) => (a.id < b.id ? -1 : 1)))
      readDiscovered(reading, workflow);
  }
  for (const key of reading.sidecar.unused()) {
    report(
      reading,
      'n8n-annotation-unused',
      'warning',
      `${config.schemas} speaks of ${JSON.stringify(key)}, which is no active workflow.`,
    );
  }
  const operations = [...reading.operations.values()];
  const securitySchemes = reading.schemes.all();
  return {
    ...emptyDescription(canonicalHash({ operations, securitySchemes })),
    operations,
    securitySchemes,
    skipped: reading.skipped,
    diagnostics: reading.diagnostics,
  };
}

function readDiscovered(reading: Reading, workflow: Workflow): void {
  if (!workflow.active || workflow.archived || !isWanted(workflow, reading.config)) return;
  const nodes = workflow.nodes.filter(({ type, disabled }) => type === WEBHOOK_NODE && !disabled);
  const found = nodes.flatMap((node) => {
    try {
      return webhooksOf(node).map((webhook) => ({ node, webhook }));
    } catch (error) {
      skip(reading, error, workflow, node, undefined);
      return [];
    }
  });
  for (const { node, webhook } of found) {
    try {
      const annotation = mergeAnnotations([
        ...reading.sidecar.annotations(workflow, node.name),
        notesOf(workflow, node, nodes),
      ]);
      const ofNode = found.filter((other) => other.node === node);
      const part = found.length === 1 ? undefined : partOf(node, webhook, nodes.length, ofNode.length);
      const sample = reading.config.pinnedData === false ? undefined : workflow.pinned[node.name];
      add(reading, workflow, webhook, annotation, part, sample);
    } catch (error) {
      skip(reading, error, workflow, node, webhook);
    }
  }
}

/** Several webhooks of one workflow: the node's name, the method, or both. */
function partOf(node: WorkflowNode, { method }: Webhook, nodes: number, methods: number): string {
  if (nodes === 1) return method.toLowerCase();
  return methods === 1 ? node.name : `${node.name} ${method.toLowerCase()}`;
}

function readListed(reading: Reading, listed: ListedWorkflow): void {
  const {
    name,
    path,
    method = 'POST',
    authentication = 'none',
    credential,
    responseMode = 'lastNode',
  } = listed;
  try {
    // Written by hand, a path holds what n8n puts before its parameters already.
    const { path: below, names } = pathTemplate(path.replace(/^\/+|\/+$/g, ''));
    const webhook: Webhook = {
      method,
      path: below,
      parameters: names,
      authentication: authentication === 'none' ? 'none' : `${authentication}Auth`,
      credential,
      responseMode,
      responseData: 'firstEntryJson',
      acknowledges: false,
      property: false,
    };
    const workflow = { id: name, name, description: undefined, tags: listed.tags ?? [] };
    const annotation = mergeAnnotations([
      annotationOf(listed),
      ...reading.sidecar.annotations(workflow, name),
    ]);
    add(reading, workflow, webhook, annotation, undefined, undefined);
  } catch (error) {
    skip(reading, error, { name }, undefined, { method, path });
  }
}

function annotationOf({
  title,
  description,
  access,
  idempotent,
  header,
  query,
  timeout,
  input,
  output,
}: ListedWorkflow): Annotation {
  return { title, description, access, idempotent, header, query, timeout, input, output };
}

function add(
  reading: Reading,
  workflow: Pick<Workflow, 'name' | 'description' | 'tags'>,
  webhook: Webhook,
  annotation: Annotation,
  part: string | undefined,
  sample: unknown,
): void {
  const { config, source, schemes, operations } = reading;
  const { authentication, credential } = webhook;
  const operation = webhookOperation({
    source,
    base: (config.webhookUrl ?? config.url).replace(/\/+$/, ''),
    endpoint: config.endpoint ?? 'webhook',
    workflow,
    part,
    webhook,
    annotation,
    sample: sample as WebhookSample,
    security: schemes.alternatives({ authentication, credential, header: annotation.header }),
  });
  if (!operations.has(operation.id)) operations.set(operation.id, operation);
  else if (!reading.listed.has(operation.id)) {
    const message = `Workflow ${JSON.stringify(workflow.name)} answers at ${operation.id}, as another does: that one is described.`;
    report(reading, 'n8n-address-twice', 'warning', message);
  }
}

type WebhookSample = Parameters<typeof webhookOperation>[0]['sample'];

function skip(
  reading: Reading,
  error: unknown,
  { name }: { readonly name: string },
  node: WorkflowNode | undefined,
  webhook: Pick<Webhook, 'method' | 'path'> | undefined,
): void {
  if (!(error instanceof WebhookUnusable) && !(error instanceof AnnotationInvalid)) throw error;
  const place =
    node === undefined
      ? `Workflow ${JSON.stringify(name)}`
      : `Node ${JSON.stringify(node.name)} of workflow ${JSON.stringify(name)}`;
  const reason = `${place} is left out: ${error.message.replace(/\.$/, '')}.`;
  const { endpoint = 'webhook' } = reading.config;
  reading.skipped.push({
    method: webhook?.method ?? 'CALL',
    path: webhook === undefined ? name : `/${endpoint}/${webhook.path}`,
    reason,
  });
  report(
    reading,
    error instanceof WebhookUnusable ? error.code : 'n8n-annotation-invalid',
    'warning',
    reason,
  );
}

function report(
  { diagnostics }: Reading,
  code: string,
  severity: Diagnostic['severity'],
  message: string,
): void {
  diagnostics.push({ code, severity, message });
}

function isWanted({ id, name }: Workflow, { include, exclude = [] }: N8nConfig): boolean {
  const matches = (patterns: readonly string[]) =>
    patterns.some((pattern) => pattern === id || fits(pattern, name));
  return (include === undefined || matches(include)) && !matches(exclude);
}

/** `*` stands for any run of characters. */
function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === name;
  if (!name.startsWith(first)) return false;
  const last = rest.pop()!;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

function absolute(secret: SecretReference, baseDirectory: string): SecretReference {
  return typeof secret === 'object' && 'file' in secret
    ? { file: resolve(baseDirectory, secret.file) }
    : secret;
}
