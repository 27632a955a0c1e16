import { useSyncExternalStore } from 'react';
import { gatewayNow } from '../../api/gateway-clock.ts';
import styles from './time.module.css';

interface TimeProps {
  /** ISO 8601, or milliseconds since the epoch. */
  readonly at: string | number;
}

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'narrow' });
/** Milliseconds of a unit, and how many of it, rounded, are said in the next one. */
const UNITS = [
  ['second', 1_000, 60],
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, Number.POSITIVE_INFINITY],
] as const;

/** How long ago, or until; the exact time on hovering. Goes with the clock. */
export function Time({ at }: TimeProps) {
  const now = useSyncExternalStore(tick, () => shownAt);
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>unknown</span>;
  return (
    <time className={styles['time']} dateTime={date.toISOString()} title={date.toLocaleString()}>
      {inWords(date.getTime() - now)}
    </time>
  );
}

/** `5s ago`, `in 3m`. */
export function inWords(milliseconds: number): string {
  const [name, unit] = UNITS.find(([, size, limit]) => Math.abs(Math.round(milliseconds / size)) < limit)!;
  return relative.format(Math.round(milliseconds / unit), name);
}

/** One clock for all times of the page, and none while there are none. */
const listeners = new Set<() => void>();
let shownAt = gatewayNow();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) shownAt = gatewayNow();
  timer ??= setInterval(() => {
    shownAt = gatewayNow();
    for (const told of listeners) told();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
