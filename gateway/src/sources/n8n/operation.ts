import type {
  HttpInvocation,
  JsonObject,
  Limits,
  Operation,
  SecurityAlternative,
} from '../../operations/index.ts';
import type { Annotation } from './annotation.ts';
import { webhookInput } from './input.ts';
import { webhookOutput } from './output.ts';
import type { Webhook } from './webhook.ts';

/** n8n takes callers that look like a program for bots where it is told to ignore those. */
export const USER_AGENT = 'Mozilla/5.0 (compatible; Toolcrib)';

/** What n8n puts before a path with parameters. */
const WEBHOOK_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\/(?=.)/i;

const DEFAULT_ACCESS: Readonly<Record<string, Operation['access']>> = {
  GET: 'read',
  HEAD: 'read',
  DELETE: 'delete',
};

export interface WebhookOperation {
  readonly source: string;
  /** Base URL of the webhooks, without trailing slash. */
  readonly base: string;
  /** First path segment, e.g. `webhook`. */
  readonly endpoint: string;
  readonly workflow: {
    readonly name: string;
    readonly description?: string | undefined;
    readonly tags: readonly string[];
  };
  /** Distinguishes the webhooks of one workflow: a node's name, with its method where it has several. */
  readonly part: string | undefined;
  readonly webhook: Webhook;
  readonly annotation: Annotation;
  readonly sample: JsonObject | undefined;
  readonly security: readonly SecurityAlternative[];
}

/** One webhook as an operation. Its id is its address, of which an instance has only one. Pure. */
export function webhookOperation(facts: WebhookOperation): Operation {
  const { webhook, annotation, workflow, part, source } = facts;
  const { input, bindings, body } = webhookInput({
    method: webhook.method,
    parameters: webhook.parameters,
    input: annotation.input,
    query: annotation.query ?? [],
    sample: facts.sample,
  });
  const { output, strictOutput, wrapsResult, accept, note } = webhookOutput(webhook, annotation.output);
  const path = `/${facts.endpoint}/${webhook.path}`;
  const access = annotation.access ?? DEFAULT_ACCESS[webhook.method] ?? 'write';
  const invocation: HttpInvocation = {
    kind: 'http',
    method: webhook.method,
    path,
    servers: [{ url: facts.base }],
    bindings: [...bindings, { const: USER_AGENT, in: 'header', name: 'User-Agent' }],
    ...(body === undefined ? {} : { body }),
    accept,
    security: facts.security,
    ...(wrapsResult === true ? { wrapsResult } : {}),
  };
  const named = part === undefined ? workflow.name : `${workflow.name} ${part}`;
  return Object.freeze({
    id: `${webhook.method} ${path}`,
    source,
    name: readableName(named, webhook),
    title: annotation.title ?? `n8n.${named}`,
    description: [descriptionOf(facts), note].filter((sentence) => sentence !== '').join(' '),
    input,
    ...(output === undefined ? {} : { output }),
    ...(strictOutput === true ? { strictOutput } : {}),
    access,
    tags: workflow.tags,
    safety: {
      network: true,
      file: false,
      destructive: access === 'delete' || access === 'dangerous',
      // A workflow may do anything, whatever its method: only its author knows whether it may run twice.
      idempotent: annotation.idempotent ?? false,
      openWorld: true,
    },
    ...limitsOf(annotation, access),
    invocation,
  });
}

/** Tool names have Latin letters only: a name of which nothing to read is left gives way to method and path. */
function readableName(named: string, { method, path }: Webhook): string {
  const plain = named.normalize('NFKD');
  if (/[A-Za-z]/.test(plain) || (/\d/.test(plain) && !/\p{L}/u.test(plain))) return named;
  return `${method.toLowerCase()} ${path.replace(WEBHOOK_ID, '')}`;
}

/** A webhook that is taken to read because of its method alone is asked once: it may do more. */
function limitsOf(
  { access: stated, idempotent, timeout }: Annotation,
  access: Operation['access'],
): { limits?: Limits } {
  const guessed = access === 'read' && stated === undefined && idempotent === undefined;
  if (!guessed && timeout === undefined) return {};
  return {
    limits: {
      ...(timeout === undefined ? {} : { timeoutMs: Math.round(timeout * 1000) }),
      ...(guessed ? { maxAttempts: 1 } : {}),
    },
  };
}

function descriptionOf({ annotation, workflow }: WebhookOperation): string {
  const said = annotation.description ?? workflow.description;
  if (said === undefined) return `Runs the n8n workflow ${JSON.stringify(workflow.name)}.`;
  const text = said.trim();
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}
