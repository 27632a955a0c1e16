import type { z } from 'zod';
import type { AccessLevel } from '../../operations/index.ts';
import { exposedOperations } from './access-filter.ts';
import type { HttpMethod, ProviderManifest, ProviderOperation } from './manifest.ts';
import { partsOf } from './parameters.ts';
import { toolName } from './tool-name.ts';
import { zodInputOf } from './zod-input.ts';

/** A tool as an MCP server registers it. */
export interface GeneratedTool {
  /** `<provider>_<operation id>`, hyphens of the provider as underscores. */
  readonly name: string;
  /** `[Greenhouse] …` */
  readonly description: string;
  readonly inputSchema: Record<string, z.ZodType>;
  readonly meta: {
    readonly provider: string;
    readonly method: HttpMethod;
    readonly path: string;
    readonly category: string;
    readonly requiresOnBehalfOf?: boolean;
    readonly wrapInData?: boolean;
  };
}

/** What a generated tool was made from, for whoever carries it out. */
export interface ToolOrigin {
  readonly operation: ProviderOperation;
  readonly manifest: ProviderManifest;
}

const ORIGIN: unique symbol = Symbol('toolcrib.tool-origin');

/** The tools that a level exposes. Dangerous operations never become one, nor do blocklisted ones. */
export function generateToolsFromManifest(
  manifest: ProviderManifest,
  accessLevel: AccessLevel,
): GeneratedTool[] {
  return exposedOperations(manifest, accessLevel).map((operation) => generatedTool(operation, manifest));
}

/** Undefined for a tool that somebody put together otherwise. */
export function originOf(tool: GeneratedTool): ToolOrigin | undefined {
  return (tool as { [ORIGIN]?: ToolOrigin })[ORIGIN];
}

function generatedTool(operation: ProviderOperation, manifest: ProviderManifest): GeneratedTool {
  const { requiresOnBehalfOf, wrapInData } = operation.meta ?? {};
  const tool: GeneratedTool = {
    name: toolName(manifest.provider, operation.id),
    description: `[${manifest.displayName}] ${operation.description}`,
    inputSchema: zodInputOf(partsOf(operation, manifest)),
    meta: {
      provider: manifest.provider,
      method: operation.method,
      path: operation.path,
      category: manifest.category,
      ...(requiresOnBehalfOf === undefined ? {} : { requiresOnBehalfOf }),
      ...(wrapInData === undefined ? {} : { wrapInData }),
    },
  };
  Object.defineProperty(tool, ORIGIN, { value: { operation, manifest } satisfies ToolOrigin });
  return tool;
}
