import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CredentialProvider } from '../../src/credentials/credential-provider.ts';
import { createEgress } from '../../src/egress/index.ts';
import { asToolcribError } from '../../src/errors.ts';
import { createHttpExecutor } from '../../src/executors/http/index.ts';
import {
  type Access,
  type Binding,
  DEFAULT_LIMITS,
  type Grants,
  type HttpInvocation,
  type JsonObject,
  type Operation,
  type Principal,
  type ProviderFacts,
  type SourceGrant,
} from '../../src/operations/index.ts';
import { refuse } from '../../src/policy/index.ts';
import { checkPath } from '../../src/policy/path-blocklist.ts';
import { createProxy, type ProxyCall, type ProxySource } from '../../src/proxy/index.ts';
import { normalizeResult } from '../../src/results/index.ts';

export const ANN: Principal = {
  id: 'ann',
  kind: 'user',
  organisation: 'acme',
  maxAccess: 'delete',
  roles: [],
};

/** One request that reached the provider. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

type Fields = readonly string[];

/** An operation in one line; a `!` after a field's name says that it is required. */
export function operation(
  id: string,
  request: string,
  access: Access,
  parts: { query?: Fields; body?: Fields; more?: Partial<HttpInvocation> } = {},
): Operation {
  const [method = '', path = ''] = request.split(' ');
  const placed = (place: 'path' | 'query' | 'body', fields: Fields = []) =>
    fields.map((field) => {
      const name = field.replace('!', '');
      return (
        place === 'body'
          ? { in: 'body', name, arg: name, contentType: 'application/json' }
          : { in: place, name, arg: name }
      ) as Binding;
    });
  const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const required = [...(parts.query ?? []), ...(parts.body ?? [])].filter((field) => field.endsWith('!'));
  const { bindings = [], ...more } = parts.more ?? {};
  return {
    id,
    source: 'greenhouse',
    description: id,
    input: { type: 'object', required: required.map((field) => field.slice(0, -1)) },
    access,
    tags: [],
    safety: {
      network: true,
      file: false,
      destructive: false,
      idempotent: access === 'read',
      openWorld: true,
    },
    invocation: {
      kind: 'http',
      method,
      path,
      servers: [],
      bindings: [
        ...placed('path', placeholders),
        ...placed('query', parts.query),
        ...placed('body', parts.body),
        ...bindings,
      ],
      ...(parts.body ? { body: { contentType: 'application/json', required: false } } : {}),
      accept: ['application/json'],
      security: [{ token: [] }],
      ...more,
    },
  };
}

const FACTS: ProviderFacts = {
  provider: 'greenhouse',
  displayName: 'Greenhouse',
  category: 'ats',
  baseUrl: '',
  blocklist: ['/users', '/user_roles', '/custom_fields', '/webhooks', '/eeoc', '/demographics'],
  regions: {},
};

export interface LoopbackOptions {
  readonly operations: readonly Operation[];
  readonly grants?: Readonly<Record<string, Partial<SourceGrant>>>;
  readonly source?: Partial<ProxySource>;
  readonly facts?: Partial<ProviderFacts>;
  /** More sources, by name. */
  readonly others?: readonly ProxySource[];
  /** The provider's answer; default `{"ok":true}`. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => void;
  readonly timeoutMs?: number;
  readonly actingUser?: string;
}

/**
 * The proxy in front of a real loopback provider, with the policy, the executor and the egress door of the
 * gateway; `called` are the operations that came to the router, `received` what left it.
 */
export async function loopbackProxy(options: LoopbackOptions) {
  const received: Received[] = [];
  const called: { operation: string; tool: string; refused: boolean }[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, body: await text(request) });
    if (options.answer) return options.answer(request, response);
    response.setHeader('content-type', 'application/json');
    response.end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const base = `${origin}/v1`;
  const egress = createEgress({ allow: [origin] });
  const credentials: CredentialProvider = {
    authorize: async (request, _connection, security) =>
      security.length === 0
        ? request
        : { ...request, headers: [...request.headers, ['authorization', 'Bearer provider-token']] },
    plan: async (request) => request,
    refused: () => false,
  };
  const executor = createHttpExecutor({ egress, credentials, retry: { baseDelayMs: 1, maxDelayMs: 1 } });
  const connected: SourceGrant = {
    level: 'read-write',
    category: 'ats',
    admin: 'read-write',
    user: 'read-write',
    connection: 'connected',
  };
  const given = options.grants ?? { greenhouse: {} };
  const grants = (principal: Principal): Grants => ({
    principal,
    stamp: '',
    roles: [],
    permissions: [],
    features: [],
    tools: 'dynamic',
    source: (name) => (given[name] === undefined ? undefined : { ...connected, ...given[name] }),
  });
  const invoke: ProxyCall = async ({ operation: asked, tool, principal, signal, arguments: args }) => {
    const refused = refuse(asked, grants(principal));
    called.push({ operation: asked.id, tool, refused: refused !== undefined });
    const connection = {
      name: 'greenhouse',
      source: 'greenhouse',
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      baseUrl: base,
      limits: { ...DEFAULT_LIMITS, timeoutMs: options.timeoutMs ?? 5000 },
      ...(options.actingUser === undefined ? {} : { actingUser: options.actingUser }),
    } as const;
    const deadline = Date.now() + connection.limits.timeoutMs;
    const call = {
      ...{ id: 'c0ffee', principal, tool, operation: asked, arguments: args, deadline, signal },
      ...{ channel: {}, dryRun: false, depth: 0, connection },
    };
    try {
      if (refused !== undefined) throw Object.assign(new Error('refused'), { refused });
      const raw = await executor.execute(call, { connection, signal, deadline });
      return await normalizeResult(raw, asked, connection.limits);
    } catch (thrown) {
      const { code, message } = refused
        ? { code: refused.code, message: refused.reason }
        : asToolcribError(thrown);
      return { kind: 'completed', content: [], error: { code, message } };
    }
  };
  const source: ProxySource = {
    name: 'greenhouse',
    provider: { ...FACTS, baseUrl: base, ...options.facts },
    category: 'ats',
    rawProxy: false,
    operations: options.operations,
    closed: [],
    ...options.source,
  };
  const forward = createProxy({
    sources: () => [source, ...(options.others ?? [])],
    grants,
    checkPath,
    invoke,
  });
  return {
    forward,
    received,
    called,
    base,
    /** Status and body of one request by `principal`. */
    async ask(body: unknown, principal: Principal = ANN) {
      const { status, body: answer } = await forward(body, principal, AbortSignal.timeout(10_000));
      return [status, answer] as const;
    },
    /** `GET /path` of greenhouse. */
    async send(line: string, more: JsonObject = {}, principal: Principal = ANN) {
      const [method, ...path] = line.split(' ');
      return this.ask({ provider: 'greenhouse', method, path: path.join(' '), ...more }, principal);
    },
    async [Symbol.asyncDispose]() {
      await egress.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
