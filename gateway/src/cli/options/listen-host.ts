import { InvalidArgumentError } from 'commander';
import { isListenHost, LISTEN_HOST } from '../../config/server-address.ts';

/** Where to listen, on the command line. */
export function listenHost(value: string): string {
  if (isListenHost(value)) return value;
  throw new InvalidArgumentError(LISTEN_HOST);
}
