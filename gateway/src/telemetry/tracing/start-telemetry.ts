import { type CallTracing, createCallTracing } from './call-tracing.ts';
import { type OtlpOptions, startOtlp } from './otlp.ts';
import { createTraceContext, type TraceContext } from './trace-scope.ts';

interface TelemetryOptions extends OtlpOptions {
  readonly enabled: boolean;
  /** An OTLP/HTTP endpoint to which this process exports by itself. */
  readonly otlp?: string;
}

export interface Telemetry {
  /** Always there: a caller's W3C context is passed on, whether anybody measures or not. */
  readonly context: TraceContext;
  /** Absent when telemetry is off. */
  readonly tracing?: CallTracing;
  /** Exports what is pending. */
  close(): Promise<void>;
}

/**
 * Loads OpenTelemetry only where it is wanted. Without `otlp`, spans and metrics go to the providers that the
 * embedder has registered. Throws `configuration_invalid` where packages for `otlp` are missing.
 */
export async function startTelemetry({ enabled, otlp, ...options }: TelemetryOptions): Promise<Telemetry> {
  const context = createTraceContext();
  if (!enabled && !providerRegistered()) return { context, close: async () => {} };
  const api = await import('@opentelemetry/api');
  const exporting = otlp === undefined ? undefined : await startOtlp(api, otlp, options);
  return {
    context,
    tracing: createCallTracing({ api, context, version: options.version }),
    close: async () => exporting?.close(),
  };
}

/** An embedder that measures need not say so twice; asked without loading anything. */
function providerRegistered(): boolean {
  const registry = (globalThis as Record<symbol, unknown>)[Symbol.for('opentelemetry.js.api.1')];
  const { trace, metrics } = (registry ?? {}) as { readonly trace?: unknown; readonly metrics?: unknown };
  return trace !== undefined || metrics !== undefined;
}
