import type { CatalogEntry } from '../../catalog/catalog.ts';
import type { Gateway } from '../../gateway.ts';
import { LOCAL_PRINCIPAL, type Skipped } from '../../operations/index.ts';
import { explain as explainPolicy } from '../../policy/index.ts';
import { findEntry, unknownTool } from '../find-tool.ts';
import { withGateway } from '../open-gateway.ts';
import type { SourceOptions } from '../source-options.ts';
import { json, painter, type Terminal } from '../terminal.ts';

/** Why a tool is offered or not: every check with its value. Operations that became no tool give their reason. */
export function explain(name: string, options: SourceOptions, terminal: Terminal): Promise<number> {
  return withGateway(options.spec ?? [], options, terminal, async ({ gateway }) => {
    const entry = findEntry(gateway, name);
    if (entry !== undefined) return explainEntry(gateway, entry, options, terminal);
    const skipped = gateway.view().catalog.skipped.find((one) => describes(one, name));
    if (skipped === undefined) throw unknownTool(gateway, name);
    if (options.json) terminal.out(json({ visible: false, skipped }));
    else terminal.out(`${skipped.method} ${skipped.path} became no tool: ${skipped.reason}`);
    return 0;
  });
}

function describes({ method, path, operation }: Skipped, name: string): boolean {
  return name === path || name === operation || name.toLowerCase() === `${method} ${path}`.toLowerCase();
}

function explainEntry(
  gateway: Gateway,
  entry: CatalogEntry,
  { json: asJson }: SourceOptions,
  terminal: Terminal,
): number {
  const { visible, checks } = explainPolicy(entry.facts, LOCAL_PRINCIPAL, {
    quarantined: entry.quarantined === true,
  });
  const { id, source, access, invocation } = entry.load();
  const listed = gateway.view().tools.some(({ tool }) => tool.name === entry.tool.name);
  const target = invocation.kind === 'http' ? `${invocation.method} ${invocation.path}` : invocation.function;
  if (asJson) {
    terminal.out(
      json({
        tool: entry.tool.name,
        visible,
        listed,
        operation: { id, source, access, target },
        principal: LOCAL_PRINCIPAL.id,
        checks,
      }),
    );
    return 0;
  }
  const paint = painter(terminal);
  terminal.out(
    `${paint('bold', entry.tool.name)} is ${visible ? paint('green', 'offered') : paint('red', 'not offered')} to ${LOCAL_PRINCIPAL.id}`,
  );
  terminal.out(`  operation  ${id} of ${source}: ${target}`);
  for (const { check, value, needed, passes } of checks) {
    const mark = passes ? paint('green', 'pass') : paint('red', 'FAIL');
    terminal.out(`  ${mark}  ${check.padEnd(11)} has ${value}, needs ${needed}`);
  }
  return 0;
}
