export type { CallTracing } from './call-tracing.ts';
export { startTelemetry, type Telemetry, type TelemetryOptions } from './start-telemetry.ts';
export type { TraceContext } from './trace-scope.ts';
