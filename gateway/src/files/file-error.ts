import { ToolcribError } from '../errors.ts';

/**
 * What the file system refuses is no fault of the program: a full disk, a folder of another user. Undefined for any
 * other error.
 */
export function fileError(thrown: unknown): ToolcribError | undefined {
  const { syscall, path, message } = (thrown ?? {}) as Partial<NodeJS.ErrnoException>;
  if (syscall === undefined || typeof path !== 'string' || syscall.startsWith('spawn')) return undefined;
  return new ToolcribError('file_unusable', `${message}.`, { location: path, cause: thrown });
}
