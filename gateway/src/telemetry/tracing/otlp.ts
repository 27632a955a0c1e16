import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import { ToolcribError } from '../../errors.ts';
import { trimEndOf } from '../../operations/text/trim-runs.ts';

/** Optional beside this package: most gateways measure nothing, or bring a provider of their own. */
const PACKAGES = [
  '@opentelemetry/sdk-trace',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/resources',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/exporter-metrics-otlp-http',
] as const;

type Constructor<T> = new (...given: never[]) => T;
type Closing = { shutdown(): Promise<void> };

/** The parts of those packages that are used. */
interface Sdk {
  readonly TracerProvider: Constructor<TracerProvider & Closing>;
  readonly BatchSpanProcessor: Constructor<object>;
  readonly MeterProvider: Constructor<MeterProvider & Closing>;
  readonly PeriodicExportingMetricReader: Constructor<object>;
  readonly OTLPTraceExporter: Constructor<object>;
  readonly OTLPMetricExporter: Constructor<object>;
  resourceFromAttributes(attributes: object): { merge(other: object): object };
  defaultResource(): { merge(other: object): object };
}

export interface OtlpExport {
  /** Sends what is pending. */
  close(): Promise<void>;
}

/**
 * Registers providers that export to `endpoint` (its `/v1/traces` and `/v1/metrics`). The exporters open their own
 * connections: it is the one address beside the egress door, and only the operator can name it.
 */
export async function startOtlp(
  api: typeof import('@opentelemetry/api'),
  endpoint: string,
  service: { readonly name: string; readonly version: string },
): Promise<OtlpExport> {
  const sdk = await loadSdk();
  const base = trimEndOf(endpoint, '/');
  const make = <T>(what: Constructor<T>, options: object): T => new what(options as never);
  const resource = sdk
    .defaultResource()
    .merge(sdk.resourceFromAttributes({ 'service.name': service.name, 'service.version': service.version }));
  const exporter = make(sdk.OTLPTraceExporter, { url: `${base}/v1/traces` });
  const traces = make(sdk.TracerProvider, {
    resource,
    spanProcessors: [make(sdk.BatchSpanProcessor, { exporter })],
  });
  const metrics = make(sdk.MeterProvider, {
    resource,
    readers: [
      make(sdk.PeriodicExportingMetricReader, {
        exporter: make(sdk.OTLPMetricExporter, { url: `${base}/v1/metrics` }),
      }),
    ],
  });
  api.trace.setGlobalTracerProvider(traces);
  api.metrics.setGlobalMeterProvider(metrics);
  return {
    async close() {
      await Promise.allSettled([traces.shutdown(), metrics.shutdown()]);
      api.trace.disable();
      api.metrics.disable();
    },
  };
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
