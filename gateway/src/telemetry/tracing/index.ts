export { requireOtlp } from './otlp.ts';
export { startTelemetry, type Telemetry } from './start-telemetry.ts';
