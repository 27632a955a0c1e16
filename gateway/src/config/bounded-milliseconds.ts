import { ToolcribError } from '../errors.ts';
import { durationText, milliseconds } from './measures.ts';

/** Milliseconds of a duration within bounds. Throws `configuration_invalid` beyond them. */
export function boundedMilliseconds(
  given: string | number,
  path: readonly string[],
  least: number,
  most: number,
): number {
  const value = milliseconds(given);
  if (value >= least && value <= most) return value;
  throw new ToolcribError(
    'configuration_invalid',
    `${path.join('.')} is between ${durationText(least)} and ${durationText(most)}.`,
    { pointer: `#/${path.join('/')}` },
  );
}
