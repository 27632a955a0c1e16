import { type Grants, isRequest, type Operation, type ToolExplanation } from '../operations/index.ts';
import { targetOf } from '../operations/target.ts';
import { explain } from './explain.ts';
import { checkPath } from './path-blocklist.ts';
import type { VisibilityEntry } from './visibility.ts';

/** What is read of a catalog entry to explain it; a CatalogEntry fits. */
export interface ExplainedEntry extends VisibilityEntry {
  readonly tool: { readonly name: string };
  load(): Operation;
}

/** Everything that decides about one tool for one principal. `blocklist` is the provider's, where there is one. */
export function explainTool(
  entry: ExplainedEntry,
  grants: Grants,
  blocklist: readonly string[] | undefined,
): ToolExplanation {
  const operation = entry.load();
  const { id, source, access, invocation } = operation;
  const path = isRequest(invocation) ? invocation.path : undefined;
  const { visible, callable, checks } = explain(entry.facts, grants, {
    quarantined: entry.quarantined === true,
    ...(blocklist === undefined || path === undefined ? {} : { blocked: blockedBy(path, blocklist) }),
  });
  return {
    tool: entry.tool.name,
    principal: grants.principal.id,
    visible,
    callable,
    operation: { id, source, access, target: targetOf(operation) },
    checks,
  };
}

/** Placeholders stand for ordinary names: a value that makes a blocked path is refused when it is sent. */
function blockedBy(template: string, blocklist: readonly string[]): string | false {
  const path = template.replace(/\{[^{}]*\}/g, 'value');
  const verdict = checkPath({ base: 'https://provider.invalid', path, blocklist });
  return verdict.allow ? false : verdict.reason;
}
