import { ToolcribError } from '../errors.ts';
import { compareWithLock, type LockEntry, type ToolLock } from './lock.ts';
import type { Rejection } from './lock-rejections.ts';

/**
 * The lock with what a tool has become refused. Throws `tool_unknown` where there is no such tool, and
 * `record_conflict` where it is as the lock holds it.
 */
export function rejectInLock(
  lock: ToolLock,
  entries: readonly LockEntry[],
  tool: string,
  { at, reason }: Pick<Rejection, 'at' | 'reason'>,
): ToolLock {
  const entry = entries.find(({ name }) => name === tool);
  if (entry === undefined)
    throw new ToolcribError('tool_unknown', `There is no tool ${JSON.stringify(tool)} to reject.`);
  const change = compareWithLock([entry], lock).find((found) => found.tool === tool);
  if (change === undefined)
    throw new ToolcribError('record_conflict', `Tool ${tool} is as the lock holds it.`, {
      next: 'There is nothing to reject. To withhold the tool, exclude its operation or lower its access.',
    });
  const { source, operation, hash } = entry;
  const rejection = { source, operation, hash, at, ...(reason === undefined ? {} : { reason }) };
  // what was accepted as a whole would be published without a look at it
  const { catalog: _catalog, ...rest } = lock;
  return { ...rest, rejected: { ...lock.rejected, [tool]: rejection } };
}
