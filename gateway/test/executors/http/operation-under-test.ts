import { expect } from 'vitest';
import { buildRequest } from '../../../src/executors/http/index.ts';
import {
  type Binding,
  type Connection,
  DEFAULT_LIMITS,
  type HttpInvocation,
  type JsonObject,
  type Operation,
} from '../../../src/operations/index.ts';

/** An operation of which only the request matters. */
export function operationOf(invocation: Partial<HttpInvocation>, rest: Partial<Operation> = {}): Operation {
  return {
    id: 'underTest',
    source: 'shop',
    description: '',
    input: { type: 'object' },
    access: 'read',
    tags: [],
    safety: { network: true, file: false, destructive: false, idempotent: true, openWorld: true },
    invocation: {
      kind: 'http',
      method: 'GET',
      path: '/',
      servers: [{ url: 'https://api.example.com/v1' }],
      bindings: [],
      accept: [],
      security: [],
      ...invocation,
    },
    ...rest,
  };
}

export function connectionOf(rest: Partial<Connection> = {}): Connection {
  return { name: 'shop', source: 'shop', securitySchemes: {}, limits: DEFAULT_LIMITS, ...rest };
}

/** Path and query of the built URL, without origin and base path. */
export function target(path: string, bindings: readonly Binding[], args: JsonObject): string {
  const { url } = buildRequest(operationOf({ path, bindings }), args, connectionOf());
  return url.slice('https://api.example.com/v1'.length);
}

/** Headers by lower-case name; none stands twice. */
export function headersOf(
  invocation: Partial<HttpInvocation>,
  args: JsonObject,
  connection: Partial<Connection> = {},
): Record<string, string> {
  const { headers } = buildRequest(operationOf(invocation), args, connectionOf(connection));
  const lower = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const found = Object.fromEntries(lower);
  expect(Object.keys(found), 'each header once').toHaveLength(lower.length);
  return found;
}

/** Content type and body as text. */
export function bodyOf(
  invocation: Partial<HttpInvocation>,
  args: JsonObject,
): { type?: string; body?: string } {
  const request = buildRequest(operationOf({ method: 'POST', ...invocation }), args, connectionOf());
  const type = request.headers.find(([name]) => name === 'content-type')?.[1];
  const { body } = request;
  return {
    ...(type === undefined ? {} : { type }),
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' ? body : Buffer.from(body).toString('latin1') }),
  };
}

export const refusal = (code: string, pointer?: string) =>
  expect.objectContaining(pointer === undefined ? { code } : { code, pointer });
