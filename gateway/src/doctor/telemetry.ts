import type { Configuration } from '../config/index.ts';
import { asToolcribError } from '../errors.ts';
import { requireOtlp } from '../telemetry/tracing/index.ts';
import type { Finding } from './finding.ts';

/** Whether the packages are there that export calls; nothing is sent. */
export async function checkTelemetry({ telemetry }: Configuration): Promise<Finding[]> {
  const { enabled, otlp } = telemetry;
  if (!enabled || otlp === undefined) return [];
  const check = 'telemetry';
  try {
    await requireOtlp();
    return [{ check, status: 'ok', message: `can export to ${otlp}` }];
  } catch (error) {
    const { message, next } = asToolcribError(error);
    return [{ check, status: 'error', message, next }];
  }
}
