import { useSyncExternalStore } from 'react';
import styles from './time.module.css';

interface TimeProps {
  /** ISO 8601, or milliseconds since the epoch. */
  readonly at: string | number;
}

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'narrow' });
const STEPS = [
  [60_000, 1_000, 'second'],
  [3_600_000, 60_000, 'minute'],
  [86_400_000, 3_600_000, 'hour'],
  [Number.POSITIVE_INFINITY, 86_400_000, 'day'],
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
  const [, unit, name] = STEPS.find(([limit]) => Math.abs(milliseconds) < limit)!;
  return relative.format(Math.round(milliseconds / unit), name);
}

/** One clock for all times of the page, and none while there are none. */
const listeners = new Set<() => void>();
let shownAt = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) shownAt = Date.now();
  timer ??= setInterval(() => {
    shownAt = Date.now();
    for (const told of listeners) told();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
