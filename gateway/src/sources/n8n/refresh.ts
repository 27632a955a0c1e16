const DEFAULT_MS = 30_000;
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Milliseconds after which the workflows are listed again: n8n tells nobody of a change. Undefined: only when somebody
 * asks, or where there is nothing to list.
 */
export function refreshInterval(settings: unknown): number | undefined {
  const { refresh, apiKey } = (settings ?? {}) as { refresh?: unknown; apiKey?: unknown };
  if (apiKey === undefined || refresh === false) return undefined;
  if (typeof refresh === 'number') return refresh;
  const [, amount, unit] = /^([\d.]+)\s?([smh])$/.exec(String(refresh)) ?? [];
  if (amount === undefined || unit === undefined) return DEFAULT_MS;
  return Math.max(1000, Math.round(Number(amount) * UNITS[unit]!));
}
