import type { CatalogPart } from '../../src/catalog/build.ts';
import type { CompiledSource, CompiledTool } from '../../src/compiler/compiled-source.ts';
import { DEFAULT_LIMITS, factsOf, type JsonSchema, type Operation } from '../../src/operations/index.ts';

/** An operation with nothing remarkable about it. */
export function plainOperation(
  id: string,
  source: string,
  input: JsonSchema = { type: 'object', properties: {} },
): Operation {
  return {
    id,
    source,
    description: `Does ${id}.`,
    input,
    access: 'read',
    tags: [],
    safety: { network: true, file: false, destructive: false, idempotent: true, openWorld: true },
    invocation: {
      kind: 'http',
      method: 'GET',
      path: `/${id}`,
      servers: [],
      bindings: [],
      accept: [],
      security: [],
    },
  };
}

/** A compiled source whose tools are called as their operations. */
export function compiledSource(
  name: string,
  operations: readonly Operation[],
  fingerprint = 'sha256:1',
): CompiledSource {
  return {
    name,
    kind: 'openapi',
    fingerprint,
    skipped: [],
    diagnostics: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
    securitySchemes: {},
    tools: operations.map(compiledTool),
  };
}

/** An operation as a compiled tool of the same name. */
export function compiledTool(operation: Operation): CompiledTool {
  const tool = {
    name: operation.id,
    description: operation.description,
    inputSchema: operation.input,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  };
  return {
    name: tool.name,
    tool,
    facts: factsOf(operation),
    json: () => JSON.stringify(tool),
    operation: () => operation,
  };
}

export function catalogPart(compiled: CompiledSource): CatalogPart {
  return {
    compiled,
    connection: { name: compiled.name, source: compiled.name, securitySchemes: {}, limits: DEFAULT_LIMITS },
  };
}
