import type { CatalogEntry } from '../catalog/catalog.ts';
import { ToolcribError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import type { PublishedTool } from '../operations/index.ts';
import { didYouMean } from '../operations/nearest-name.ts';

/** A tool that this principal sees. Throws `tool_unknown` with the nearest name. */
export function findTool(gateway: Gateway, name: string): PublishedTool {
  const { tools, catalog } = gateway.view();
  const resolved = catalog.byTool(name)?.tool.name ?? name;
  const found = tools.find(({ tool }) => tool.name === resolved);
  if (found !== undefined) return found;
  if (catalog.byTool(name) !== undefined) {
    throw new ToolcribError('tool_forbidden', `Tool ${name} exists, but it is not offered.`);
  }
  throw unknownTool(gateway, name);
}

/** Any compiled operation, offered or not, by tool name or operation id. */
export function findEntry(gateway: Gateway, name: string): CatalogEntry | undefined {
  const { catalog } = gateway.view();
  return (
    catalog.byTool(name) ??
    catalog.entries.find(({ operation, facts }) => operation === name || facts.id === name)
  );
}

export function unknownTool(gateway: Gateway, name: string): ToolcribError {
  const names = gateway.view().tools.map(({ tool }) => tool.name);
  if (names.includes(name)) {
    return new ToolcribError('tool_unknown', `${name} is a generic tool and has no checks of its own.`, {
      next: 'Explain an operation of a provider that carries it out; `toolcrib tools` lists them with `tools: both`.',
    });
  }
  return new ToolcribError('tool_unknown', `There is no tool "${name}".${didYouMean(name, names)}`);
}
