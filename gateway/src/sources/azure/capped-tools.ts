import {
  type AzureSettings,
  connectorPrefix,
  type Diagnostic,
  type Operation,
} from '../../operations/index.ts';

/**
 * Counts the tools of each connection that a list leaves out where `maxToolsPerApi` says how many it has. `operations`:
 * what the configuration includes, with the access that it gives.
 */
export function reviewCappedTools(
  operations: readonly Operation[],
  { maxToolsPerApi }: Pick<AzureSettings, 'maxToolsPerApi'>,
): Diagnostic[] {
  if (maxToolsPerApi === undefined) return [];
  const counts = new Map<string, number>();
  for (const { access, invocation } of operations) {
    if (invocation.kind !== 'azure' || access === 'dangerous') continue;
    const { api, connection } = invocation;
    const name = connectorPrefix(api, connection);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].flatMap(([name, count]) => {
    if (count <= maxToolsPerApi) return [];
    const finder = `${name.replace(/[^A-Za-z0-9_-]/g, '_')}_discover`;
    const message = `${count - maxToolsPerApi} of ${count} tools of ${name} are not listed; ${finder} finds them.`;
    return [{ code: 'tools-capped', severity: 'info', message }];
  });
}
