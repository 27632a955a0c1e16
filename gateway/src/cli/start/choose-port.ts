import type { ServerAddress } from '../../config/index.ts';
import { inUse, listenProblem } from '../../doctor/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Asker } from './asker.ts';

/** Ports above the one that is taken which are tried. */
const MOST_TRIED = 20;

/**
 * The port to listen on: the configured one, or with a yes the next that is free. Throws `port_in_use`, saying who is
 * there.
 */
export async function choosePort(
  address: ServerAddress,
  asker: Asker | undefined,
  terminal: Terminal,
): Promise<number> {
  const { host, port } = address;
  // whatever else is wrong, listening itself says best
  if ((await listenProblem(host, port))?.code !== 'EADDRINUSE') return port;
  const { message, next } = await inUse(address, process.env);
  const another = asker === undefined ? undefined : await freePort(host, port);
  if (asker !== undefined && another !== undefined) {
    terminal.note(message);
    if (await asker.agree(`Use port ${another} instead?`, true)) return another;
  }
  throw new ToolcribError('port_in_use', message, next === undefined ? {} : { next });
}

async function freePort(host: string, taken: number): Promise<number | undefined> {
  for (let port = taken + 1; port <= Math.min(taken + MOST_TRIED, 65_535); port++) {
    if ((await listenProblem(host, port)) === undefined) return port;
  }
  return undefined;
}
