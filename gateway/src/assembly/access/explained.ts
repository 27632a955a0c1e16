import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts';
import { ToolcribError } from '../../errors.ts';
import type { Grants, ToolExplanation } from '../../operations/index.ts';
import { explainTool } from '../../policy/explain-tool.ts';
import { type ApprovalNeedsParts, createApprovalNeeds } from '../calling/approval-needs.ts';
import { agreementTo } from '../listing/operation-gates.ts';

/** Where it stands whether a person is asked. */
export type ExplainingParts = Pick<ApprovalNeedsParts, 'configuration' | 'isolated'>;

/** Every factor that decides about tools of a catalog for whom the grants are, and whether a person is asked. */
export function createExplaining(
  parts: ExplainingParts,
  catalog: Catalog,
  grants: Grants,
): (entry: CatalogEntry) => ToolExplanation {
  const blocklists = new Map(catalog.sources.map(({ name, provider }) => [name, provider?.blocklist]));
  const needs = createApprovalNeeds({
    ...parts,
    catalog: { current: catalog },
    grants: { known: () => grants },
  });
  return (entry) => {
    const explanation = explainTool(entry, grants, blocklists.get(entry.source));
    if (!explanation.visible) return explanation;
    const approval = agreementTo(needs, entry.name, entry.load(), grants.principal);
    return approval === undefined ? explanation : { ...explanation, approval };
  };
}

/** The same of one tool by its name. Throws `tool_unknown`. */
export function explainFor(
  parts: ExplainingParts,
  catalog: Catalog,
  grants: Grants,
  tool: string,
): ToolExplanation {
  const entry = catalog.byTool(tool);
  if (entry === undefined)
    throw new ToolcribError('tool_unknown', `There is no tool named ${tool.slice(0, 128)}.`);
  return createExplaining(parts, catalog, grants)(entry);
}
