import { compileSource } from '../../compiler/compile-source.ts';
import type { CompiledSource } from '../../compiler/compiled-source.ts';
import {
  type AzureSettings,
  type Description,
  type Diagnostic,
  type Operation,
  placeOf,
  type Skipped,
} from '../../operations/index.ts';
import { applyCostRules, reviewCostRules } from '../../policy/cost-rules.ts';
import { applyAccessRules, matchesSelector, reviewAccessRules, reviewSelectors } from '../../policy/index.ts';
import { applyRequirementRules, reviewRequirementRules } from '../../policy/requirement-rules.ts';
import { reviewCappedTools } from '../../sources/azure/capped-tools.ts';
import type { CompileKey } from './compile-key.ts';
import { reviewServers } from './review-servers.ts';

/** Characters of JSON of one published output schema. */
const MAX_OUTPUT_SCHEMA_SIZE = 2000;

/** A description becomes a compiled source: the operator's access rules, include and exclude first. */
export function compileDescribed(description: Description, key: CompileKey): CompiledSource {
  return compileSource(selectOperations(description, key), {
    source: key.name,
    kind: key.source.kind,
    profile: key.schemaProfile,
    outputSchemas: key.output.schemas ? (key.output.strict ? 'exact' : 'relaxed') : 'none',
    maxOutputSchemaSize: MAX_OUTPUT_SCHEMA_SIZE,
    ...(key.source.prefix === 'none' ? {} : { prefix: key.source.prefix }),
  });
}

function selectOperations(description: Description, { name, source }: CompileKey): Description {
  const operations: Operation[] = [];
  const skipped: Skipped[] = [...description.skipped];
  const diagnostics: Diagnostic[] = [
    ...description.diagnostics,
    ...reviewAccessRules(description.operations, source.access),
    ...reviewCostRules(description.operations, source.costs),
    ...reviewSelectors(description.operations, 'include', source.include),
    ...reviewSelectors(description.operations, 'exclude', source.exclude),
  ];
  const { permissions, features } = source;
  const required = { permissions: permissions?.enabled ? permissions.rules : [], features };
  const classed = applyAccessRules(description.operations, source.access);
  const { adminOnlyTags } = permissions ?? {};
  diagnostics.push(...reviewRequirementRules(classed, { ...required, adminOnlyTags }));
  for (const operation of applyRequirementRules(applyCostRules(classed, source.costs), required)) {
    const included =
      source.include.length === 0 || source.include.some((selector) => matchesSelector(operation, selector));
    const excluded = source.exclude.some((selector) => matchesSelector(operation, selector));
    if (included && !excluded) operations.push(operation);
    else
      skipped.push({
        ...placeOf(operation),
        reason: excluded ? 'excluded by the configuration' : 'not included by the configuration',
      });
  }
  diagnostics.push(...reviewServers(operations, name, source));
  if (source.kind === 'azure')
    diagnostics.push(...reviewCappedTools(operations, source.settings as AzureSettings));
  return { ...description, operations, skipped, diagnostics };
}
