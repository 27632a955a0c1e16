import type { Diagnostic, Skipped } from '../operations/index.ts';
import { compareText } from '../operations/text/compare-text.ts';
import type { LockChange } from './lock.ts';

/** One published tool, as the report counts it. */
export interface ReportEntry {
  readonly source: string;
  /** Operation id within the source. */
  readonly operation: string;
  /** Its tool's name. */
  readonly tool: string;
  /** Of the tool as a model is given it: name, description and input schema (o200k). */
  readonly tokens: number;
}

export interface ReportInput {
  /** Hash of the catalog. */
  readonly catalog: string;
  readonly sources: ReadonlyArray<{
    readonly name: string;
    readonly kind: string;
    readonly fingerprint: string;
  }>;
  readonly entries: readonly ReportEntry[];
  readonly skipped: readonly Skipped[];
  readonly diagnostics: readonly Diagnostic[];
  /** Differences from the lock, where there is one. */
  readonly changes?: readonly LockChange[];
  readonly quarantined?: ReadonlySet<string>;
  /** How the operations became tools, and why so. */
  readonly topologies?: readonly ReportedTopology[];
}

/** One group of sources that are published together. */
export interface ReportedTopology {
  readonly asked: string;
  readonly took: string;
  readonly sources: readonly string[];
  /**
   * What `auto` measured, richest first; tokens (o200k) beyond the budget are not counted to the end, and lists far from
   * it not at all (`atMost`, `about`).
   */
  readonly considered: ReadonlyArray<{
    readonly name: string;
    readonly tools: number;
    readonly tokens: number;
    readonly fits: boolean;
    readonly atMost?: true;
    readonly about?: true;
  }>;
  readonly warning?: string;
}

/** `toolcrib.report.json`. No times and no paths of this machine: identical input gives identical bytes. */
export interface CompileReport {
  readonly version: 1;
  readonly catalog: string;
  readonly sources: ReadonlyArray<{
    readonly name: string;
    readonly kind: string;
    readonly fingerprint: string;
    readonly compiled: number;
    readonly skipped: number;
    readonly tokens: number;
  }>;
  readonly totals: {
    readonly compiled: number;
    readonly skipped: number;
    readonly shadowed: number;
    readonly changed: number;
    readonly quarantined: number;
    readonly errors: number;
    readonly warnings: number;
    readonly tokens: number;
  };
  /** How tokens were counted. */
  readonly tokenMethod: 'o200k_base';
  /** By the tool's name. */
  readonly compiled: readonly ReportEntry[];
  readonly topologies: readonly ReportedTopology[];
  readonly skipped: readonly Skipped[];
  readonly shadowed: readonly Diagnostic[];
  readonly changed: readonly LockChange[];
  readonly quarantined: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

const SHADOWED = 'tool-shadowed';

/** What became of every operation, what it costs, and what its reader should know. Pure. */
export function createReport(input: ReportInput): CompileReport {
  const compiled = input.entries
    .map(({ tool, source, operation, tokens }) => ({ tool, source, operation, tokens }))
    .sort((a, b) => compareText(a.tool, b.tool));
  const shadowed = input.diagnostics.filter(({ code }) => code === SHADOWED);
  const diagnostics = input.diagnostics.filter(({ code }) => code !== SHADOWED);
  const severe = (severity: Diagnostic['severity']) =>
    input.diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const changed = input.changes ?? [];
  const quarantined = [...(input.quarantined ?? [])].sort(compareText);
  return {
    version: 1,
    catalog: input.catalog,
    sources: input.sources.map(({ name, kind, fingerprint }) => ({
      name,
      kind,
      fingerprint,
      compiled: compiled.filter(({ source }) => source === name).length,
      skipped: input.skipped.filter(({ source }) => source === name).length,
      tokens: sum(compiled.filter(({ source }) => source === name)),
    })),
    totals: {
      compiled: compiled.length,
      skipped: input.skipped.length,
      shadowed: shadowed.length,
      changed: changed.length,
      quarantined: quarantined.length,
      errors: severe('error'),
      warnings: severe('warning'),
      tokens: sum(compiled),
    },
    tokenMethod: 'o200k_base',
    compiled,
    topologies: input.topologies ?? [],
    skipped: input.skipped,
    shadowed,
    changed,
    quarantined,
    diagnostics,
  };
}

export function serializeReport(report: CompileReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

function sum(items: ReadonlyArray<{ readonly tokens: number }>): number {
  return items.reduce((total, { tokens }) => total + tokens, 0);
}
