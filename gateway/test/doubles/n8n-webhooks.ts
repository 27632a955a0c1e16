import type { Answer, ReceivedRequest } from './loopback-service.ts';
import { refusal } from './n8n-authentication.ts';
import type { DoubleCredentials, DoubleNode } from './n8n-node.ts';

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

/** What a Webhook node hands on. */
export interface WebhookItem {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly webhookUrl: string;
  readonly executionMode: 'production';
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

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const TEXT_TYPE = { 'content-type': 'text/html; charset=utf-8' };

/** Where a request leads: the workflow's node that listens there. */
interface Route {
  readonly workflow: DoubleWorkflow;
  readonly node: DoubleNode;
  readonly params: Readonly<Record<string, string>>;
}

/** The answer of a production webhook. */
export function answered(
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
    webhookUrl: `http://${request.headers.host}${request.path}`,
    executionMode: 'production',
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
  if (responseMode === 'streaming') return streamed(node.name, given);
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
  if (given === undefined && responseData === 'firstEntryJson') {
    const message = 'No item to return was found';
    return json(500, { code: 0, message, stacktrace: `Error: ${message}` });
  }
  return json(200, given);
}

/** JSON lines under the type of JSON: a beginning, each piece as text, an end. */
function streamed(nodeName: string, given: unknown): Answer {
  const metadata = { nodeId: 'n1', nodeName, itemIndex: 0, runIndex: 0, timestamp: 1_795_286_856_985 };
  const content = JSON.stringify(given instanceof Responded ? given.body : given);
  const lines = [
    { type: 'begin', metadata },
    { type: 'item', content, metadata },
    { type: 'end', metadata },
  ];
  return { status: 200, headers: JSON_TYPE, body: lines.map((line) => `${JSON.stringify(line)}\n`).join('') };
}

/** As `qs` reads it: `a[]` is a list, a repeated name one of several; above 20 values n8n makes an object of it. */
function queryOf({ query }: ReceivedRequest): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [given, value] of query) {
    const name = given.replace(/\[\]$/, '');
    const before = read[name];
    if (before === undefined) read[name] = name === given ? value : [value];
    else read[name] = [...(Array.isArray(before) ? before : [before]), value];
  }
  const values = Object.entries(read);
  return Object.fromEntries(
    values.map(([name, value]) => [name, Array.isArray(value) && value.length > 20 ? { ...value } : value]),
  );
}

function bodyOf({ body }: ReceivedRequest): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString());
  } catch {
    return body.toString();
  }
}

export function json(status: number, body: unknown): Answer {
  return { status, headers: JSON_TYPE, body };
}
