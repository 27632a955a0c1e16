import type { Finding } from '../finding.ts';

/** Milliseconds since the epoch at one moment: what a service's `Date` says, and the clock of this machine. */
export interface ClockReading {
  readonly origin: string;
  readonly theirs: number;
  readonly ours: number;
}

/** `Date` has whole seconds, and answers take a while; tokens tolerate about a minute. */
const WARN_MS = 60_000;
/** Beyond this sign-in tokens and signed requests are refused by most services. */
const ERROR_MS = 300_000;

/** Holds the clock of this machine against those of the services that answered; the middle one counts. */
export function checkClock(readings: readonly ClockReading[]): Finding[] {
  const sorted = readings.toSorted((left, right) => ahead(left) - ahead(right));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) return [];
  const off = ahead(middle);
  const check = 'clock';
  if (Math.abs(off) < WARN_MS) return [{ check, status: 'ok', message: 'agrees with the services' }];
  return [
    {
      check,
      status: Math.abs(off) < ERROR_MS ? 'warning' : 'error',
      message: `This machine's clock is ${duration(Math.abs(off))} ${off > 0 ? 'ahead of' : 'behind'} that of ${middle.origin}: tokens seem expired, or not valid yet.`,
      next: 'Set the clock, best by time synchronisation (NTP), and try again.',
    },
  ];
}

function ahead({ ours, theirs }: ClockReading): number {
  return ours - theirs;
}

function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
