import { messageOf } from './message-of.ts';

/** What the system's codes mean to somebody who named a file (errno(3)). */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file',
  EISDIR: 'This is a folder',
  ENOTDIR: 'A part of its path is a file, not a folder',
  EACCES: 'This user may not read it',
  EPERM: 'This user may not read it',
};

/** Why a file was not read, in words; the system's own name a call and the path once more. Without a full stop. */
export function unreadable(error: unknown): string {
  const { code = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  return MEANINGS[code] ?? messageOf(error);
}
