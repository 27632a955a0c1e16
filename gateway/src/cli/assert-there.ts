import { existsSync } from 'node:fs';
import { ToolcribError } from '../errors.ts';

/** For folders that a command names. Throws `source_unreadable` where there is nothing. */
export function assertThere(folder: string): void {
  if (existsSync(folder)) return;
  throw new ToolcribError('source_unreadable', `Cannot read ${folder}: There is no such folder.`, {
    location: folder,
  });
}
