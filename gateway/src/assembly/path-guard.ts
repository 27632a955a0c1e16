import { ToolcribError } from '../errors.ts';
import type { Connection } from '../operations/index.ts';
import { checkPath } from '../policy/path-blocklist.ts';

/** The last look at an address before it is requested: under the base URL, and on no blocklist. */
export function guardPath(url: string, { baseUrl, blocklist, source }: Connection): void {
  if (blocklist === undefined || blocklist.length === 0 || baseUrl === undefined) return;
  const verdict = checkPath({ base: baseUrl, path: url, blocklist });
  if (verdict.allow) return;
  throw new ToolcribError('path_blocked', `Source ${source}: ${verdict.reason}`);
}
