import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { trimEndsOf } from '../../operations/text/trim-runs.ts';
import { RESPONSE_MODES, type ResponseMode, WEBHOOK_METHODS, type WebhookMethod } from './config.ts';
import type { WorkflowNode } from './workflow.ts';

export const WEBHOOK_NODE = 'n8n-nodes-base.webhook';

/** n8n's own names of what a Webhook node asks its callers for. */
export type NodeAuthentication = 'none' | 'basicAuth' | 'headerAuth' | 'jwtAuth' | 'n8nOAuth2';
const AUTHENTICATIONS: readonly string[] = ['none', 'basicAuth', 'headerAuth', 'jwtAuth', 'n8nOAuth2'];
const CREDENTIAL_TYPES: Readonly<Record<string, string>> = {
  basicAuth: 'httpBasicAuth',
  headerAuth: 'httpHeaderAuth',
  jwtAuth: 'jwtAuth',
};

/** What a Webhook node answers to: one address, one method. */
export interface Webhook {
  readonly method: WebhookMethod;
  /** Segments below the endpoint, parameters as `{name}`. */
  readonly path: string;
  readonly parameters: readonly string[];
  readonly authentication: NodeAuthentication;
  /** Name of n8n's credential; absent where none is needed. */
  readonly credential: string | undefined;
  readonly responseMode: ResponseMode;
  /** `firstEntryJson`, `allEntries`, `firstEntryBinary`, `noData`, where the mode is `lastNode`. */
  readonly responseData: string;
  /** Answers with n8n's own acknowledgement, and nothing of the workflow's. */
  readonly acknowledges: boolean;
}

/** A node that cannot become a tool; the message says what stands in the way. */
export class WebhookUnusable extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Every method that a Webhook node answers to. Throws WebhookUnusable. */
export function webhooksOf(node: WorkflowNode): readonly Webhook[] {
  const { parameters } = node;
  const { path, names } = webhookPath(literal(parameters['path'], 'path'), node.webhookId);
  const authentication = literal(parameters['authentication'], 'authentication') ?? 'none';
  if (!AUTHENTICATIONS.includes(authentication))
    throw new WebhookUnusable(
      'n8n-authentication-unknown',
      `its authentication ${authentication} is not known`,
    );
  const responseMode = (literal(parameters['responseMode'], 'responseMode') ?? 'onReceived') as ResponseMode;
  if (!RESPONSE_MODES.includes(responseMode))
    throw new WebhookUnusable('n8n-response-mode-unknown', `its response mode ${responseMode} is not known`);
  const options = isObject(parameters['options']) ? parameters['options'] : {};
  const type = CREDENTIAL_TYPES[authentication];
  return methodsOf(parameters).map((method) => ({
    method,
    path,
    parameters: names,
    authentication: authentication as NodeAuthentication,
    credential: type === undefined ? undefined : node.credentials[type],
    responseMode,
    responseData: literal(parameters['responseData'], 'responseData') ?? 'firstEntryJson',
    acknowledges:
      responseMode === 'onReceived' &&
      options['responseData'] === undefined &&
      options['noResponseBody'] !== true,
  }));
}

/**
 * The address below `webhook/`. A path with parameters stands below the node's webhookId, any other does not; slashes
 * at the ends do not count.
 */
function webhookPath(given: string | undefined, webhookId: string | undefined): PathTemplate {
  const written = trimEndsOf(given ?? '', '/') || webhookId;
  if (written === undefined)
    throw new WebhookUnusable('n8n-path-missing', 'it has neither a path nor a webhook id');
  const template = pathTemplate(written);
  if (template.names.length === 0) return template;
  if (webhookId === undefined)
    throw new WebhookUnusable('n8n-path-unusable', 'its path has parameters, but it has no webhook id');
  if (!/^(?!\.{1,2}$)[\w.~-]+$/.test(webhookId))
    throw new WebhookUnusable(
      'n8n-path-unusable',
      `its webhook id ${JSON.stringify(webhookId)} is no plain segment of a path`,
    );
  return { ...template, path: `${webhookId}/${template.path}` };
}

export interface PathTemplate {
  /** Parameters as `{name}`. */
  readonly path: string;
  readonly names: readonly string[];
}

/** `users/:id` as a template. Throws WebhookUnusable for what would lead elsewhere. */
export function pathTemplate(written: string): PathTemplate {
  const names: string[] = [];
  const segments = written.split('/').map((segment) => {
    if (/^\.{0,2}$/.test(segment) || /[{}?#\\%]/.test(segment))
      throw new WebhookUnusable('n8n-path-unusable', `its path ${JSON.stringify(written)} is no plain path`);
    if (!segment.startsWith(':')) return segment;
    const name = segment.slice(1);
    if (!/^[A-Za-z_]\w*$/.test(name) || names.includes(name))
      throw new WebhookUnusable('n8n-path-unusable', `its path has the parameter ${JSON.stringify(segment)}`);
    names.push(name);
    return `{${name}}`;
  });
  return { path: segments.join('/'), names };
}

function methodsOf(parameters: JsonObject): readonly WebhookMethod[] {
  const stated = parameters['httpMethod'];
  const methods: readonly Json[] =
    parameters['multipleMethods'] === true
      ? Array.isArray(stated)
        ? stated
        : ['GET', 'POST']
      : [Array.isArray(stated) ? (stated[0] ?? 'GET') : (stated ?? 'GET')];
  return methods.map((method) => {
    const name = literal(method, 'httpMethod') ?? 'GET';
    if (!(WEBHOOK_METHODS as readonly string[]).includes(name))
      throw new WebhookUnusable('n8n-method-unknown', `its method ${name} is not known`);
    return name as WebhookMethod;
  });
}

/** A parameter as text; an expression is known only while the workflow runs. */
function literal(value: Json | undefined, name: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string')
    throw new WebhookUnusable('n8n-parameter-unusable', `its ${name} is no text`);
  if (value.startsWith('='))
    throw new WebhookUnusable('n8n-expression', `its ${name} is an expression, which only n8n can work out`);
  return value;
}
