import { InvalidArgumentError } from 'commander';

/** A duration of the command line. */
export function milliseconds(text: string): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('Use a number of milliseconds.');
}
