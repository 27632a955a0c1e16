import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts';
import { type Binding, type Diagnostic, isRequest, type Skipped, type Tool } from '../../operations/index.ts';

/** What `toolcrib compile --json` prints. */
export interface CompiledDump {
  readonly tools: readonly DumpedTool[];
  readonly skipped: readonly Skipped[];
  readonly diagnostics: readonly Diagnostic[];
}

type DumpedTool = Pick<
  Tool,
  'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations'
> & {
  readonly operation: {
    readonly id: string;
    readonly method?: string;
    readonly path?: string;
    readonly access: string;
  };
  readonly bindings: readonly Binding[];
};

/** Every compiled operation, whether a principal sees it or not. */
export function compiledDump(catalog: Catalog): CompiledDump {
  return {
    tools: catalog.entries.map(dumpedTool),
    skipped: catalog.skipped,
    diagnostics: catalog.diagnostics,
  };
}

function dumpedTool(entry: CatalogEntry): DumpedTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = entry.tool;
  const { id, access, invocation } = entry.load();
  const http = isRequest(invocation) ? { method: invocation.method, path: invocation.path } : {};
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations,
    operation: { id, ...http, access },
    bindings: isRequest(invocation) ? invocation.bindings : [],
  };
}
