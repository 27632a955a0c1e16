import { refreshInterval } from './n8n/refresh.ts';

/**
 * Milliseconds after which a source is described again although nothing told of a change, whether the last attempt
 * succeeded or not. Undefined: watching its files is enough.
 */
export function refreshIntervalOf(kind: string, settings: unknown): number | undefined {
  return kind === 'n8n' ? refreshInterval(settings) : undefined;
}
