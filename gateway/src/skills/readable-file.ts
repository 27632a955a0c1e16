import { ToolcribError } from '../errors.ts';
import { READABLE_BYTES } from '../sources/skill/limits.ts';
import { isHiddenFile } from '../sources/skill/package-files.ts';
import type { KnownSkill } from './room.ts';

/** Throws `resource_unknown` where a skill has no such file, or none that clients are given. */
export function checkReadable({ id, files }: Pick<KnownSkill, 'id' | 'files'>, path: string): void {
  const file = files.find((each) => each.path === path);
  if (file === undefined)
    throw new ToolcribError('resource_unknown', `Skill ${id} has no file of that name.`);
  if (isHiddenFile(path))
    throw new ToolcribError(
      'resource_unknown',
      `The name of that file of skill ${id} begins with a dot: only its tools read it.`,
    );
  if (file.bytes > READABLE_BYTES)
    throw new ToolcribError(
      'resource_unknown',
      `That file of skill ${id} is larger than ${READABLE_BYTES} bytes: only its tools read it.`,
    );
}
