import { dirname } from 'node:path';
import type { Configuration } from '../config/index.ts';
import { describeAddress } from '../store/address.ts';
import type { Terminal } from './terminal/terminal.ts';

interface Named {
  readonly config?: string;
  readonly stateDir?: string;
}

/** For whoever finds nothing in a store that they did not name: the gateway that they mean may have another one. */
export const ELSEWHERE =
  'A gateway with another configuration has its own store: name that with --config FILE.';

/** Where nothing was found. A person who was told to look may stand in another folder than the gateway. */
export function noneIn(
  { file, store }: Configuration,
  { config, stateDir }: Named,
  { cwd }: Terminal,
): string {
  const none = `None in ${describeAddress(store)}.`;
  const isNamed = config !== undefined || stateDir !== undefined;
  return isNamed || (file !== undefined && dirname(file) === cwd) ? none : `${none}\n${ELSEWHERE}`;
}
