import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts';
import { ToolcribError } from '../../errors.ts';
import type { CallAgreement, Grants, ToolExplanation } from '../../operations/index.ts';
import { explainTool } from '../../policy/explain-tool.ts';
import { isListed } from '../../policy/visibility.ts';
import { type ApprovalNeedsParts, createApprovalNeeds } from '../calling/approval-needs.ts';
import { agreementTo, createGates } from '../listing/operation-gates.ts';

/** Where it stands whether a person is asked. */
export type ExplainingParts = Pick<ApprovalNeedsParts, 'configuration' | 'isolated'>;

/** Every factor that decides about tools of a catalog for whom the grants are, and whether a person is asked. */
export function createExplaining(
  parts: ExplainingParts,
  catalog: Catalog,
  grants: Grants,
): (entry: CatalogEntry) => ToolExplanation {
  const blocklists = new Map(catalog.sources.map(({ name, provider }) => [name, provider?.blocklist]));
  const needs = approvalNeeds(parts, catalog, grants);
  return (entry) => {
    const explanation = explainTool(entry, grants, blocklists.get(entry.source));
    if (!explanation.visible) return explanation;
    const approval = agreementTo(needs, entry.name, entry.load(), grants.principal);
    return approval === undefined ? explanation : { ...explanation, approval };
  };
}

/** Of the tools that may be called: those of which a person is asked before each call, or no call goes through. By name. */
export function agreementsFor(
  parts: ExplainingParts,
  catalog: Catalog,
  grants: Grants,
): ReadonlyMap<string, CallAgreement> {
  const gate = createGates(catalog, parts.configuration(), grants, approvalNeeds(parts, catalog, grants));
  const agreements = new Map<string, CallAgreement>();
  for (const entry of catalog.entries) {
    const agreement = isListed(entry, grants) ? gate(entry) : undefined;
    if (agreement !== undefined) agreements.set(entry.name, agreement);
  }
  return agreements;
}

function approvalNeeds(parts: ExplainingParts, catalog: Catalog, grants: Grants) {
  return createApprovalNeeds({ ...parts, catalog: { current: catalog }, grants: { known: () => grants } });
}

/** Every factor of one tool, by its name. Throws `tool_unknown`. */
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
