import { isToolcribError } from '../errors.ts';

export type Report = (error: unknown, what: string) => void;

/** How long the same fault of the store is not told again, milliseconds. */
const QUIET_MS = 5 * 60_000;
/** Faults that are kept in mind. */
const MAX_FAULTS = 100;

/**
 * Passes faults on to the log. While the store is away, whatever needs it by itself tries again every few seconds: the
 * same fault is told at once, and then every five minutes with how often it was not.
 */
export function faultsTold(
  tell: (error: unknown, what: string, untold: number) => void,
  now = Date.now,
): Report {
  const told = new Map<string, { readonly at: number; untold: number }>();
  return (error, what) => {
    if (!isToolcribError(error) || error.code !== 'store_unavailable') return tell(error, what, 0);
    const fault = `${what} ${error.message}`;
    const before = told.get(fault);
    if (before !== undefined && now() - before.at < QUIET_MS) {
      before.untold++;
      return;
    }
    told.delete(fault);
    if (told.size >= MAX_FAULTS) told.clear();
    told.set(fault, { at: now(), untold: 0 });
    tell(error, what, before?.untold ?? 0);
  };
}
