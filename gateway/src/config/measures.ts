const TIME_UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const SIZE_UNITS: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1_000,
  KB: 1_000,
  KiB: 1_024,
  MB: 1_000_000,
  MiB: 1_048_576,
  GB: 1_000_000_000,
  GiB: 1_073_741_824,
};

export const DURATION = /^\d+(?:\.\d+)?\s?(?:ms|s|m|h)$/;
/** Where days are understood, too. */
export const DAYS = /^\d+(?:\.\d+)?\s?d$/;
export const SIZE = /^\d+(?:\.\d+)?\s?(?:B|[kK]B|KiB|MB|MiB|GB|GiB)$/;

/** Milliseconds of `30s`, `500ms`, `2m`, `1h`, `7d`; a number already is milliseconds. */
export function milliseconds(duration: string | number): number {
  return typeof duration === 'number' ? duration : measured(duration, TIME_UNITS);
}

/** As it would be written: `10m`, `24h`; milliseconds where no larger unit fits. */
export function durationText(ms: number): string {
  const unit = ['h', 'm', 's'].find((name) => ms > 0 && ms % TIME_UNITS[name]! === 0) ?? 'ms';
  return `${ms / TIME_UNITS[unit]!}${unit}`;
}

/** Bytes of `10MB`, `512KiB`; a number already is bytes. */
export function bytes(size: string | number): number {
  return typeof size === 'number' ? size : measured(size, SIZE_UNITS);
}

function measured(text: string, units: Readonly<Record<string, number>>): number {
  const [, amount, unit] = /^([\d.]+)\s?(\w+)$/.exec(text) ?? [];
  return Math.round(Number(amount) * (units[unit ?? ''] ?? Number.NaN));
}
