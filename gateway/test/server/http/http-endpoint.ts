import type { Configuration, ServerConfiguration } from '../../../src/config/configuration.ts';
import type { GatewayAdmin } from '../../../src/server/http/admin/gateway-admin.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../../src/server/http/index.ts';
import type { FunctionSource } from '../../../src/sources/function/define.ts';
import { type FunctionGateway, functionGateway } from '../function-gateway.ts';
import { checkDescribed } from './described-answers.ts';

export const SERVER: ServerConfiguration = {
  host: '127.0.0.1',
  port: 0,
  allowedHosts: [],
  allowedOrigins: [],
  maxBodyBytes: 10_000,
  drainMs: 2000,
};

export interface HttpEndpoint {
  readonly url: string;
  readonly gateway: FunctionGateway;
  readonly server: HttpServer;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Status and JSON body, which is as described. */
  json(path: string, init?: RequestInit): Promise<readonly [number, unknown]>;
  post(path: string, body: unknown): Promise<readonly [number, unknown]>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The HTTP server over a function source, on a real loopback port. */
export async function httpEndpoint(
  source: FunctionSource,
  settings: Partial<ServerConfiguration> = {},
  admin: Partial<GatewayAdmin> = {},
  options: HttpServerOptions = {},
): Promise<HttpEndpoint> {
  const configuration = {
    name: 'functions',
    topology: 'flat',
    schemaProfile: 'portable',
    output: { strict: false, schemas: true },
    lock: { mode: 'warn', file: '', report: '' },
    watch: false,
    auth: { mode: 'local' },
    sources: {},
    server: { ...SERVER, ...settings },
  } as Partial<Configuration>;
  const gateway = Object.assign(functionGateway(source, configuration), admin);
  const server = createHttpServer(gateway, { ...SERVER, ...settings }, options);
  const { url } = await server.listen();
  const request = (path: string, init?: RequestInit) => fetch(new URL(path, url), init);
  const json = async (path: string, init?: RequestInit) => {
    const response = await request(path, init);
    const body: unknown = await response.json();
    checkDescribed(init?.method ?? 'GET', path, response.status, body);
    return [response.status, body] as const;
  };
  return {
    url,
    gateway,
    server,
    request,
    json,
    post: (path, body) =>
      json(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
