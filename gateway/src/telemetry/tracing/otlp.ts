import type { Agent } from 'node:http';
import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import { ToolcribError } from '../../errors.ts';
import { trimEndOf } from '../../operations/text/trim-runs.ts';
import { withinTime } from '../../operations/work/within-time.ts';
import { type OtlpTls, otlpTls } from './otlp-tls.ts';
import {
  type Exporter,
  type ExportFaults,
  exportFaults,
  type Signal,
  toldExporter,
} from './told-exporter.ts';

/** Optional beside this package: most gateways measure nothing, or bring a provider of their own. */
const PACKAGES = [
  '@opentelemetry/sdk-trace',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/resources',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/exporter-metrics-otlp-http',
] as const;

type Constructor<T> = new (...given: never[]) => T;
type Api = typeof import('@opentelemetry/api');
type Closing = { shutdown(): Promise<void> };

/** The parts of those packages that are used. */
interface Sdk {
  readonly TracerProvider: Constructor<TracerProvider & Closing>;
  readonly BatchSpanProcessor: Constructor<object>;
  readonly MeterProvider: Constructor<MeterProvider & Closing>;
  readonly PeriodicExportingMetricReader: Constructor<object>;
  readonly OTLPTraceExporter: Constructor<Exporter>;
  readonly OTLPMetricExporter: Constructor<Exporter>;
  resourceFromAttributes(attributes: object): { merge(other: object): object };
  defaultResource(): { merge(other: object): object };
}

export interface OtlpExport {
  /** Sends what is pending, within a few seconds or not at all. */
  close(): Promise<void>;
}

/** How the exporters of one kind reach the collector. */
export interface OtlpAgents {
  agent(protocol: string): Promise<Agent>;
  close(): Promise<void>;
}

export interface OtlpOptions {
  /** `service.name`. */
  readonly name: string;
  readonly version: string;
  /** Where a proxy leads out; absent: by the SDK's own agent. */
  readonly agents?: (tls: OtlpTls) => Promise<OtlpAgents>;
  /** Told why spans or metrics do not arrive, once until they do again. */
  readonly failed?: (what: Signal, reason: string) => void;
}

/** What is left at the end is sent within so long, and an export that is under way then may end; milliseconds. */
const LAST_EXPORT_MS = 2_000;
const CLOSE_MS = 3_000;

/**
 * Registers providers that export to `endpoint` (its `/v1/traces` and `/v1/metrics`). The exporters send by themselves,
 * beside the egress door, to an address that only the operator can name; `agents` has them go the door's way.
 */
export async function startOtlp(
  api: Api,
  endpoint: string,
  { name, version, agents, failed = () => undefined }: OtlpOptions,
): Promise<OtlpExport> {
  const sdk = await loadSdk();
  let isClosing = false;
  const faults = exportFaults(failed);
  const base = trimEndOf(endpoint, '/');
  const make = <T>(what: Constructor<T>, options: object): T => new what(options as never);
  const resource = sdk
    .defaultResource()
    .merge(sdk.resourceFromAttributes({ 'service.name': name, 'service.version': version }));
  const opened: OtlpAgents[] = [];
  const wayOf = async (what: Signal) => {
    if (agents === undefined) return {};
    const own = await agents(await otlpTls(what, process.env));
    opened.push(own);
    return { httpAgentOptions: own.agent };
  };
  const exporter = async (what: Signal, kind: Constructor<Exporter>) => {
    const options = { url: `${base}/v1/${what}`, ...(await wayOf(what)) };
    const last = make(kind, { ...options, timeoutMillis: LAST_EXPORT_MS });
    return toldExporter(
      { usual: make(kind, options), last },
      () => isClosing,
      (end) => faults.ended(what, end),
    );
  };
  const traces = make(sdk.TracerProvider, {
    resource,
    spanProcessors: [
      make(sdk.BatchSpanProcessor, { exporter: await exporter('traces', sdk.OTLPTraceExporter) }),
    ],
  });
  const metrics = make(sdk.MeterProvider, {
    resource,
    readers: [
      make(sdk.PeriodicExportingMetricReader, {
        exporter: await exporter('metrics', sdk.OTLPMetricExporter),
      }),
    ],
  });
  api.trace.setGlobalTracerProvider(traces);
  api.metrics.setGlobalMeterProvider(metrics);
  const unhear = hearDoubts(api, faults.doubt);
  return {
    async close() {
      isClosing = true;
      await withinTime(CLOSE_MS, Promise.allSettled([traces.shutdown(), metrics.shutdown()]));
      await Promise.all(opened.map((own) => own.close()));
      api.trace.disable();
      api.metrics.disable();
      unhear();
    },
  };
}

/** A log of the embedder's stays: it hears them then. */
function hearDoubts({ diag, DiagLogLevel }: Api, warn: ExportFaults['doubt']): () => void {
  const registry = (globalThis as Record<symbol, unknown>)[Symbol.for('opentelemetry.js.api.1')];
  if ((registry as { readonly diag?: unknown } | undefined)?.diag !== undefined) return () => undefined;
  const nothing = () => undefined;
  const logger = { error: nothing, warn, info: nothing, debug: nothing, verbose: nothing };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  return () => diag.disable();
}

/** Throws `configuration_invalid` where packages are missing. */
export async function requireOtlp(): Promise<void> {
  await loadSdk();
}

async function loadSdk(): Promise<Sdk> {
  try {
    const modules = await Promise.all(PACKAGES.map((name) => import(name) as Promise<object>));
    return Object.assign({}, ...modules) as Sdk;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new ToolcribError(
      'configuration_invalid',
      `telemetry.otlp needs packages that are not all installed: npm install ${PACKAGES.join(' ')}.`,
      { pointer: '#/telemetry/otlp', cause },
    );
  }
}
