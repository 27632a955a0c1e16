import { InvalidArgumentError } from 'commander';

/** A port on the command line; 0 means a free one. */
export function portNumber(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError('Use a number from 0 to 65535.');
}
