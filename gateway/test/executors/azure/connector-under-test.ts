import type { EgressLimits, EgressResponse } from '../../../src/egress/index.ts';
import {
  type AzureExecutorOptions,
  createAzureExecutor,
} from '../../../src/executors/azure/azure-executor.ts';
import type { ArmRequest, ConnectorRoom } from '../../../src/executors/azure/connector-room.ts';
import type { ExecuteContext, RawResult } from '../../../src/executors/executor.ts';
import {
  type AzureInvocation,
  type Call,
  type CallChannel,
  type Connection,
  DEFAULT_LIMITS,
  type Json,
  type JsonObject,
  type JsonSchema,
  LOCAL_PRINCIPAL,
  type Operation,
} from '../../../src/operations/index.ts';
import { createValidator } from '../../../src/validation/validator.ts';

export const ORIGIN = 'https://arm.test';

/** An operation of a connector of which only the request matters. */
export function operationOf(invocation: Partial<AzureInvocation>, rest: Partial<Operation> = {}): Operation {
  const operationId = invocation.operationId ?? 'GetThings';
  return {
    id: `mail.${operationId}`,
    source: 'group',
    description: '',
    input: { type: 'object' },
    access: 'read',
    tags: [],
    safety: { network: true, file: false, destructive: false, idempotent: false, openWorld: true },
    invocation: {
      kind: 'azure',
      method: 'GET',
      path: '/things',
      bindings: [],
      accept: [],
      connection: 'mail',
      api: 'mail',
      ...invocation,
      operationId,
    },
    ...rest,
  };
}

export function connectionOf(rest: Partial<Connection> = {}): Connection {
  return { name: 'group', source: 'group', securitySchemes: {}, limits: DEFAULT_LIMITS, ...rest };
}

export function callOf(operation: Operation, args: JsonObject = {}, rest: Partial<Call> = {}): Call {
  return {
    id: 'c'.repeat(32),
    principal: LOCAL_PRINCIPAL,
    tool: 'under_test',
    operation,
    connection: connectionOf(),
    arguments: args,
    deadline: Date.now() + 30_000,
    signal: new AbortController().signal,
    channel: {},
    dryRun: false,
    depth: 0,
    ...rest,
  };
}

export function contextOf(call: Call): ExecuteContext {
  return { connection: call.connection!, signal: call.signal, deadline: call.deadline };
}

/** The request within an envelope. */
export interface Envelope {
  readonly method: string;
  readonly path: string;
  readonly queries?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
}

export type ArmAnswer = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: Json | string;
};

export interface FakeRoom extends ConnectorRoom {
  readonly requests: readonly ArmRequest[];
  /** The connector requests of all envelopes, in order. */
  readonly envelopes: readonly Envelope[];
  readonly limits: readonly EgressLimits[];
  /** What was observed, in order. */
  readonly seen: readonly string[];
  readonly links: readonly string[];
  state: string | undefined;
}

export interface FakeRoomOptions {
  readonly status?: string | undefined;
  readonly helpers?: readonly Operation[];
  readonly link?: () => Promise<string>;
  readonly connected?: (timeoutMs: number) => Promise<boolean>;
}

/** A room whose Azure is a function; throws of it are failures of the network. */
export function fakeRoom(
  answer: (request: Envelope, at: number) => ArmAnswer | Promise<ArmAnswer>,
  { status = 'Connected', helpers = [], link, connected }: FakeRoomOptions = {},
): FakeRoom {
  const requests: ArmRequest[] = [];
  const envelopes: Envelope[] = [];
  const limits: EgressLimits[] = [];
  const seen: string[] = [];
  const links: string[] = [];
  const invokePath = (connection: string) =>
    `/subscriptions/s/resourceGroups/g/providers/Microsoft.Web/connections/${connection}/dynamicInvoke`;
  const url = ({ path, apiVersion = '2016-06-01' }: ArmRequest) =>
    `${ORIGIN}${path}?api-version=${apiVersion}`;
  const room: FakeRoom = {
    requests,
    envelopes,
    limits,
    seen,
    links,
    state: status,
    invokePath,
    url,
    async send(request, given, signal) {
      signal.throwIfAborted();
      requests.push(request);
      limits.push(given);
      const { request: inner } = request.body as unknown as { request: Envelope };
      envelopes.push(inner);
      return armResponse(await answer(inner, envelopes.length - 1), url(request));
    },
    status: () => room.state,
    observed(_connection, now) {
      seen.push(now);
      room.state = now;
    },
    async consentLink(connection) {
      links.push(connection);
      return link === undefined ? `https://consent.test/${links.length}` : link();
    },
    whenConnected: async (_connection, timeoutMs) => {
      const done = (await connected?.(timeoutMs)) ?? false;
      if (done) room.state = 'Connected';
      return done;
    },
    helper: async (_connection, operationId) =>
      helpers.find(({ invocation }) => invocation.kind === 'azure' && invocation.operationId === operationId),
  };
  return room;
}

export function armResponse({ status = 200, headers = {}, body }: ArmAnswer, url: string): EgressResponse {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(text),
    url,
  };
}

/** An answer of the connector behind a 200 of Resource Manager. */
export const inner = (statusCode: Json, body?: Json, headers?: JsonObject): ArmAnswer => ({
  body: {
    response: {
      statusCode,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    },
  },
});

const validator = createValidator();

export const validate = (schema: JsonSchema, value: Json) => {
  const outcome = validator.validate(schema, value);
  return outcome.valid ? [] : outcome.errors;
};

export const QUICK = { baseDelayMs: 1, maxDelayMs: 2000, throttledSeconds: 60 };

export function executorOf(room: ConnectorRoom, rest: Partial<AzureExecutorOptions> = {}) {
  return createAzureExecutor({ rooms: async () => room, validate, retry: QUICK, ...rest });
}

export async function run(
  room: ConnectorRoom,
  operation: Operation,
  args: JsonObject = {},
  rest: Partial<Call> & {
    readonly options?: Partial<AzureExecutorOptions>;
    readonly channel?: CallChannel;
  } = {},
): Promise<RawResult> {
  const { options, ...callRest } = rest;
  const call = callOf(operation, args, callRest);
  return executorOf(room, options).execute(call, contextOf(call));
}

/** The answer with its body as text. */
export function httpOf(raw: RawResult) {
  if (raw.kind !== 'http') throw new Error(`no answer: ${raw.kind}`);
  return { ...raw, text: Buffer.from(raw.body).toString() };
}
