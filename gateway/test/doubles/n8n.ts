import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type Answer,
  type LoopbackService,
  type ReceivedRequest,
  startLoopbackService,
} from './loopback-service.ts';

/** A workflow as the public API shows it, and what its last node or its answer would be. */
export interface DoubleWorkflow {
  readonly id: string;
  readonly name: string;
  readonly active?: boolean;
  readonly isArchived?: boolean;
  readonly tags?: readonly string[];
  readonly nodes: readonly DoubleNode[];
  readonly pinData?: Readonly<Record<string, unknown>>;
  /** What the run gives; throwing is a failed run. Default: the item that the Webhook node gives. */
  readonly run?: (item: WebhookItem) => unknown;
}

export interface DoubleNode {
  readonly name: string;
  readonly type: string;
  readonly typeVersion?: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly webhookId?: string;
  readonly disabled?: boolean;
  readonly notes?: string;
  readonly position?: readonly [number, number];
  readonly credentials?: Readonly<Record<string, { readonly id: string; readonly name: string }>>;
}

/** What a Webhook node hands on. */
export interface WebhookItem {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** An answer of a Respond to Webhook node. */
export class Responded {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;

  constructor(body: unknown, { status = 200, type = 'application/json; charset=utf-8' } = {}) {
    this.status = status;
    this.type = type;
    this.body = body;
  }
}

/** Values of n8n's credentials, by their names. */
export type DoubleCredentials = Readonly<
  Record<
    string,
    | { readonly user: string; readonly password: string }
    | { readonly name: string; readonly value: string }
    | { readonly secret: string }
  >
>;

export interface N8nDouble extends LoopbackService {
  readonly apiKey: string;
  /** What is active from now on. */
  publish(...workflows: readonly DoubleWorkflow[]): void;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const TEXT_TYPE = { 'content-type': 'text/html; charset=utf-8' };

/** n8n 2.41.1 as far as tools meet it: its public API's list of workflows, and its production webhooks. */
export async function startN8n(
  options: { readonly credentials?: DoubleCredentials; readonly pageSize?: number } = {},
): Promise<N8nDouble> {
  const apiKey = 'n8n-double-key';
  let workflows: readonly DoubleWorkflow[] = [];
  const service = await startLoopbackService('', (request) => {
    if (request.path === '/api/v1/workflows')
      return listed(request, workflows, apiKey, options.pageSize ?? 100);
    if (request.path.startsWith('/webhook/')) return answered(request, workflows, options.credentials ?? {});
    return { status: 404, headers: TEXT_TYPE, body: 'Not Found' };
  });
  return {
    ...service,
    apiKey,
    publish: (...next) => {
      workflows = next;
    },
  };
}

function listed(
  { headers, query }: ReceivedRequest,
  workflows: readonly DoubleWorkflow[],
  apiKey: string,
  pageSize: number,
): Answer {
  const given = headers['x-n8n-api-key'];
  if (given !== apiKey) return json(401, { message: 'Unauthorized' });
  const asked = new Map(query);
  const tags = asked.get('tags')?.split(',') ?? [];
  const found = workflows
    .filter(({ active = true }) => asked.get('active') !== 'true' || active)
    .filter((workflow) => tags.every((tag) => workflow.tags?.includes(tag)));
  const limit = Math.min(Number(asked.get('limit') ?? 100), pageSize);
  const offset = Number(Buffer.from(asked.get('cursor') ?? '', 'base64').toString() || 0);
  const more = offset + limit < found.length;
  return json(200, {
    data: found.slice(offset, offset + limit).map((workflow) => shown(workflow, asked)),
    nextCursor: more ? Buffer.from(String(offset + limit)).toString('base64') : null,
  });
}

function shown(
  { run: _run, tags = [], pinData, ...workflow }: DoubleWorkflow,
  asked: Map<string, string>,
): object {
  const active = workflow.active ?? true;
  const nodes = workflow.nodes.map((node, index) => ({
    id: `n${index}`,
    typeVersion: 2.1,
    position: [0, 0],
    ...node,
  }));
  return {
    isArchived: false,
    versionId: 'v1',
    triggerCount: 1,
    connections: {},
    settings: { executionOrder: 'v1' },
    staticData: null,
    meta: null,
    ...workflow,
    active,
    nodes,
    activeVersion: active ? { versionId: 'v1', nodes, connections: {} } : null,
    tags: tags.map((name) => ({ id: name, name })),
    ...(asked.get('excludePinnedData') === 'true' ? {} : { pinData: pinData ?? null }),
  };
}

/** Where a request leads: the workflow's node that listens there. */
interface Route {
  readonly workflow: DoubleWorkflow;
  readonly node: DoubleNode;
  readonly params: Readonly<Record<string, string>>;
}

function answered(
  request: ReceivedRequest,
  workflows: readonly DoubleWorkflow[],
  credentials: DoubleCredentials,
): Answer {
  const path = request.path.slice('/webhook/'.length).replace(/\/$/, '');
  const routes = routesOf(path, workflows);
  const route = routes.find(({ node }) => methodsOf(node).includes(request.method));
  if (route === undefined) return notRegistered(request.method, path, routes);
  const refused = refusal(route.node, request, credentials);
  if (refused !== undefined) return refused;
  const item: WebhookItem = {
    headers: request.headers,
    params: route.params,
    query: queryOf(request),
    body: bodyOf(request),
  };
  return answerOf(route, item);
}

function routesOf(path: string, workflows: readonly DoubleWorkflow[]): readonly Route[] {
  return workflows
    .filter(({ active = true }) => active)
    .flatMap((workflow) =>
      workflow.nodes
        .filter(({ type, disabled }) => type === 'n8n-nodes-base.webhook' && disabled !== true)
        .flatMap((node) => {
          const params = match(node, path);
          return params === undefined ? [] : [{ workflow, node, params }];
        }),
    );
}

function match({ parameters, webhookId }: DoubleNode, path: string): Record<string, string> | undefined {
  const own = String(parameters['path'] ?? webhookId).replace(/^\/|\/$/g, '');
  const whole = own.includes(':') ? `${webhookId}/${own}` : own;
  const expected = whole.split('/');
  // n8n decodes first, so that an encoded slash divides like any other.
  const given = decodeURIComponent(path).split('/');
  if (expected.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    if (segment.startsWith(':')) params[segment.slice(1)] = given[index]!;
    else if (segment !== given[index]) return undefined;
  }
  return params;
}

function methodsOf({ parameters }: DoubleNode): readonly string[] {
  const { httpMethod = 'GET', multipleMethods } = parameters;
  if (multipleMethods === true) return (parameters['httpMethod'] as string[] | undefined) ?? ['GET', 'POST'];
  return [String(httpMethod)];
}

/** Says whether nobody listens there, or only for another method. Outside production n8n adds its own stack. */
function notRegistered(method: string, path: string, others: readonly Route[]): Answer {
  if (others.length === 0) {
    const message = `The requested webhook "${method} ${path}" is not registered.`;
    const hint = 'The workflow must be active for a production URL to run successfully.';
    const stacktrace = `ResponseError: ${message}\n    at LiveWebhooks.findWebhook`;
    return json(404, { code: 404, message, hint, stacktrace });
  }
  const methods = others.flatMap(({ node }) => methodsOf(node));
  const message = `This webhook is not registered for ${method} requests. Did you mean to make a ${methods.join(' or ')} request?`;
  return json(404, { code: 404, message, stacktrace: `ResponseError: ${message}` });
}

function refusal(
  { parameters, credentials = {} }: DoubleNode,
  { headers }: ReceivedRequest,
  known: DoubleCredentials,
): Answer | undefined {
  const value = (type: string): Record<string, string> => known[credentials[type]?.name ?? ''] ?? {};
  const authorization = headers.authorization;
  const { ignoreBots } = (parameters['options'] ?? {}) as Record<string, unknown>;
  // Everything but browsers, in short: a name alone, or with a version, is a program.
  if (ignoreBots === true && !/^Mozilla\//.test(headers['user-agent'] ?? ''))
    return refused(403, 'Authorization data is wrong!');
  switch (parameters['authentication'] ?? 'none') {
    case 'basicAuth': {
      const { user, password } = value('httpBasicAuth');
      if (authorization === undefined) return refused(401, 'Authorization is required!');
      const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      return authorization === expected ? undefined : refused(401, 'Authentication data is wrong!');
    }
    case 'headerAuth': {
      const { name = '', value: expected } = value('httpHeaderAuth');
      if (headers[name.toLowerCase()] === expected) return undefined;
      return refused(403, 'Authorization data is wrong!');
    }
    case 'jwtAuth': {
      if (authorization === undefined) return refused(401, 'No token provided');
      const token = authorization.replace(/^Bearer /, '');
      return isSigned(token, value('jwtAuth')['secret'] ?? '') ? undefined : refused(403, 'invalid token');
    }
    default:
      return undefined;
  }
}

/** The scheme that it names is Basic for every kind; the text has no type. */
function refused(status: 401 | 403, body: string): Answer {
  return { status, headers: { 'www-authenticate': 'Basic realm="Webhook"' }, body };
}

/** HS256 (RFC 7518 §3.2). */
function isSigned(token: string, secret: string): boolean {
  const [head, claims, signature = ''] = token.split('.');
  const expected = createHmac('sha256', secret).update(`${head}.${claims}`).digest();
  const given = Buffer.from(signature, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function answerOf({ workflow, node }: Route, item: WebhookItem): Answer {
  const { responseMode = 'onReceived', responseData = 'firstEntryJson', options } = node.parameters;
  const { responseData: acknowledgement, noResponseBody } = (options ?? {}) as Record<string, unknown>;
  let given: unknown;
  let failed = false;
  try {
    given = workflow.run === undefined ? item : workflow.run(item);
  } catch {
    failed = true;
  }
  if (responseMode === 'onReceived') {
    if (noResponseBody === true) return { status: 200, headers: JSON_TYPE };
    if (acknowledgement !== undefined)
      return { status: 200, headers: TEXT_TYPE, body: String(acknowledgement) };
    return json(200, { message: 'Workflow was started' });
  }
  if (failed) return json(500, { message: 'Error in workflow' });
  if (given instanceof Responded) {
    const { status, type, body } = given;
    return {
      status,
      headers: { 'content-type': type },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
  }
  if (responseMode === 'responseNode') {
    const message = 'No Respond to Webhook node found in the workflow';
    return json(500, { code: 0, message, stacktrace: `Error: ${message}` });
  }
  if (responseData === 'noData') return { status: 200, headers: JSON_TYPE };
  return json(200, given);
}

function queryOf({ query }: ReceivedRequest): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of query) {
    const before = read[name];
    read[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return read;
}

function bodyOf({ body }: ReceivedRequest): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString());
  } catch {
    return body.toString();
  }
}

function json(status: number, body: unknown): Answer {
  return { status, headers: JSON_TYPE, body };
}
