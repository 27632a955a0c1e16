import type { Catalog } from '../../catalog/catalog.ts';
import type { GatewayCore } from '../../gateway-core.ts';
import type { Event } from '../../operations/index.ts';

interface CallSeries {
  readonly tool: string;
  readonly outcome: string;
  count: number;
  seconds: number;
}

export interface Metrics {
  /** Prometheus text exposition format 0.0.4. */
  text(sessions: number): string;
  close(): void;
}

/** Counts the calls of this process from its events; the catalog's numbers are read when asked for. */
export function createMetrics(core: GatewayCore): Metrics {
  const calls = new Map<string, CallSeries>();
  const close = core.onEvent((event) => count(calls, event));
  return { text: (sessions) => render(core, calls, sessions), close };
}

function count(calls: Map<string, CallSeries>, event: Event): void {
  if (event.type !== 'call-completed' && event.type !== 'call-failed') return;
  const outcome = event.type === 'call-completed' ? 'ok' : (event.code ?? 'internal');
  const key = `${event.tool} ${outcome}`;
  const series = calls.get(key) ?? { tool: event.tool, outcome, count: 0, seconds: 0 };
  series.count++;
  series.seconds += (event.durationMs ?? 0) / 1000;
  calls.set(key, series);
}

function render(core: GatewayCore, calls: ReadonlyMap<string, CallSeries>, sessions: number): string {
  const { catalog } = core.view();
  const severities = { error: 0, warning: 0, info: 0 };
  for (const { severity } of catalog.diagnostics) severities[severity]++;
  const series = [...calls.values()];
  return [
    metric('toolcrib_info', 'gauge', 'Version of this gateway.', [
      [{ name: core.name, version: core.version }, 1],
    ]),
    metric('toolcrib_catalog_info', 'gauge', 'Hash of the catalog that is served.', [
      [{ hash: catalog.hash }, 1],
    ]),
    metric(
      'toolcrib_catalog_tools',
      'gauge',
      'Tools in the catalog, by source.',
      catalog.sources.map((s) => [{ source: s.name }, s.operations]),
    ),
    metric('toolcrib_catalog_quarantined_tools', 'gauge', 'Tools that wait for acceptance.', [
      [{}, catalog.entries.filter((e) => e.quarantined).length],
    ]),
    metric(
      'toolcrib_source_stale',
      'gauge',
      'Sources whose last read failed.',
      [...readStates(catalog)].map(([source, stale]) => [{ source }, stale ? 1 : 0]),
    ),
    metric(
      'toolcrib_diagnostics',
      'gauge',
      'Findings of the current catalog.',
      Object.entries(severities).map(([severity, n]) => [{ severity }, n]),
    ),
    metric(
      'toolcrib_calls_total',
      'counter',
      'Finished calls, by tool and outcome.',
      series.map((s) => [{ tool: s.tool, outcome: s.outcome }, s.count]),
    ),
    metric(
      'toolcrib_call_seconds_total',
      'counter',
      'Time spent in finished calls, seconds.',
      series.map((s) => [{ tool: s.tool, outcome: s.outcome }, s.seconds]),
    ),
    metric('toolcrib_mcp_sessions', 'gauge', 'Open MCP sessions of the older revisions.', [[{}, sessions]]),
  ].join('');
}

/** Whether the last read of a source failed, by its name: also of one that was never read, which the catalog lacks. */
function readStates({ sources, diagnostics }: Catalog): ReadonlyMap<string, boolean> {
  const states = new Map(sources.map(({ name, stale }) => [name, stale !== undefined]));
  for (const { code, source } of diagnostics)
    if (code === 'source-failed' && source !== undefined) states.set(source, true);
  return states;
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

function metric(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => {
    const text = Object.entries(labels).map(([label, content]) => `${label}="${escapeLabel(content)}"`);
    return `${name}${text.length === 0 ? '' : `{${text.join(',')}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
