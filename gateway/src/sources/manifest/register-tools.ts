import type { z } from 'zod';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import { type GeneratedTool, originOf, type ToolOrigin } from './generate-tools.ts';
import { getManifest } from './manifests.ts';
import { categorizeParams, interpolatePath } from './request-parts.ts';
import { toolName } from './tool-name.ts';

/** What the proxy route takes (`POST /api/v1/proxy`). */
export interface ProxyRequest {
  readonly provider: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

type Send = (request: ProxyRequest) => Promise<unknown>;

/** Sends requests to a gateway; rejects where it refuses. */
export type ProxyClient = { readonly proxyRequest: Send } | { readonly proxyAtsRequest: Send };

export interface ToolText {
  content: { type: 'text'; text: string }[];
  isError?: boolean;
  [key: string]: unknown;
}

type Handler = (args: Record<string, unknown>) => Promise<ToolText>;

/** An MCP server of either generation: `registerTool`, or the older `tool`. */
export type ToolServer =
  | {
      registerTool(
        name: string,
        config: { description: string; inputSchema: Record<string, z.ZodType> },
        handler: Handler,
      ): unknown;
    }
  | { tool(name: string, description: string, schema: Record<string, z.ZodType>, handler: Handler): unknown };

/** Registers every tool; each call becomes one request of the client. Answers with the names. */
export function registerGeneratedTools(
  server: ToolServer,
  tools: readonly GeneratedTool[],
  client: ProxyClient,
): string[] {
  const send: Send =
    'proxyRequest' in client
      ? (request) => client.proxyRequest(request)
      : (request) => client.proxyAtsRequest(request);
  for (const tool of tools) {
    const { name, description, inputSchema } = tool;
    const handler: Handler = (args) => carryOut(tool, args ?? {}, send);
    if ('registerTool' in server) server.registerTool(name, { description, inputSchema }, handler);
    else server.tool(name, description, inputSchema, handler);
  }
  return tools.map(({ name }) => name);
}

async function carryOut(tool: GeneratedTool, args: Record<string, unknown>, send: Send): Promise<ToolText> {
  try {
    return { content: [{ type: 'text', text: textOf(await send(requestOf(tool, args))) }] };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'an unknown error occurred';
    const next = isToolcribError(error) ? ` ${error.next}` : '';
    return {
      content: [{ type: 'text', text: `Error calling ${tool.name}: ${message}${next}` }],
      isError: true,
    };
  }
}

/** Throws `arguments_invalid`, and `tool_unknown` for a tool whose operation is not known. */
function requestOf(tool: GeneratedTool, args: Record<string, unknown>): ProxyRequest {
  const { operation, manifest } = originOf(tool) ?? shippedOrigin(tool);
  const { pathParams, queryParams, bodyParams, headerParams } = categorizeParams(operation, args, manifest);
  const { path } = interpolatePath(operation.path, pathParams);
  const body = operation.meta?.wrapInData === true ? { data: [bodyParams] } : bodyParams;
  return {
    provider: manifest.provider,
    method: operation.method,
    path,
    ...(Object.keys(queryParams).length === 0 ? {} : { query: joined(queryParams, operation, manifest) }),
    ...(Object.keys(bodyParams).length === 0 ? {} : { body }),
    ...(headerParams === undefined
      ? {}
      : {
          headers: Object.fromEntries(
            Object.entries(headerParams).map(([name, value]) => [name, String(value)]),
          ),
        }),
  };
}

/** Lists that the service wants as one text. */
function joined(
  query: Record<string, unknown>,
  { params = {} }: ToolOrigin['operation'],
  { parameters = {} }: ToolOrigin['manifest'],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const comma = (params[name] ?? parameters[name])?.style === 'comma';
      return [name, comma && Array.isArray(value) ? value.join(',') : value];
    }),
  );
}

function shippedOrigin({ name, meta }: GeneratedTool): ToolOrigin {
  const manifest = getManifest(meta.provider);
  const operation = manifest?.operations.find(({ id }) => toolName(meta.provider, id) === name);
  if (manifest !== undefined && operation !== undefined) return { manifest, operation };
  throw new ToolcribError('tool_unknown', `No manifest describes ${name} of ${meta.provider}.`);
}

function textOf(answer: unknown): string {
  return typeof answer === 'string' ? answer : (JSON.stringify(answer, null, 2) ?? 'Done.');
}
