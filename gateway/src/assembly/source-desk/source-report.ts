import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts';
import { definitionDifferences } from '../../compiler/diff.ts';
import type { LockChange } from '../../compiler/lock.ts';
import type { EgressConfiguration } from '../../config/configuration.ts';
import type { Diagnostic } from '../../operations/index.ts';
import type {
  CompiledTool,
  DriftChange,
  SourceEntry,
  SourceReport,
  SourceState,
} from '../../server/http/admin/gateway-sources.ts';
import { type LockDrift, lockEntries } from '../compiling/lock-review.ts';
import { reviewBaseUrls } from './base-url-findings.ts';

const MAX_TOOLS = 5000;
const MAX_SKIPPED = 2000;
const MAX_DIAGNOSTICS = 2000;

/** Everything about one source; `egress` says what the door lets through. */
export function reportOfSource(
  source: SourceState,
  catalog: Catalog,
  drift: LockDrift,
  egress: EgressConfiguration,
  entry: SourceEntry | undefined,
): SourceReport {
  const own = catalog.entries.filter((one) => one.source === source.name);
  const { baseUrl, findings } = reviewBaseUrls(catalog, source.name, own, egress);
  const diagnostics = [...findings, ...catalog.diagnostics.filter((one) => one.source === source.name)];
  return {
    source: withFindings(source, findings),
    compiled: own.slice(0, MAX_TOOLS).map(compiledTool),
    skipped: catalog.skipped.filter((one) => one.source === source.name).slice(0, MAX_SKIPPED),
    diagnostics: worstFirst(diagnostics).slice(0, MAX_DIAGNOSTICS),
    drift: driftOf(source.name, catalog, drift),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(entry === undefined ? {} : { entry }),
  };
}

function withFindings(source: SourceState, findings: readonly Diagnostic[]): SourceState {
  const { error, ...others } = source.diagnostics;
  return { ...source, diagnostics: { error: error + findings.length, ...others } };
}

function compiledTool({ name, facts, quarantined }: CatalogEntry): CompiledTool {
  return {
    tool: name,
    operation: facts.id,
    access: facts.access,
    ...(facts.http === undefined ? {} : facts.http),
    withheld: quarantined ?? false,
  };
}

const RANK = { error: 0, warning: 1, info: 2 } as const;

function worstFirst(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted((a, b) => RANK[a.severity] - RANK[b.severity]);
}

function driftOf(source: string, catalog: Catalog, { changes, locked }: LockDrift): readonly DriftChange[] {
  const own = changes.filter((change) => change.source === source);
  if (own.length === 0) return [];
  const entries = new Map(lockEntries(catalog).map((entry) => [entry.name, entry]));
  return own.map((change): DriftChange => {
    const { tool, kind, rejected } = change;
    const before = Object.hasOwn(locked, tool) ? locked[tool] : undefined;
    const after = entries.get(tool);
    return {
      tool,
      kind,
      withheld: catalog.byTool(tool)?.quarantined ?? false,
      ...(rejected === undefined ? {} : { rejected: reasonOf(rejected) }),
      ...(after === undefined ? {} : { hash: after.hash }),
      differences:
        kind !== 'changed' || before === undefined || after === undefined
          ? []
          : [
              ...definitionDifferences(
                { source: before.source, operation: before.operation },
                { source: after.source, operation: after.operation },
              ),
              ...(before.definition === undefined
                ? [{ path: 'hash', before: before.hash, after: after.hash }]
                : definitionDifferences(before.definition, after.definition)),
            ],
    };
  });
}

function reasonOf({ at, reason }: NonNullable<LockChange['rejected']>) {
  return { at, ...(reason === undefined ? {} : { reason }) };
}
