import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from '../config/index.ts';

/** Full path of a program; undefined where there is none that can be run. */
export async function executable(command: string, env: Environment): Promise<string | undefined> {
  const folders = isAbsolute(command) ? [''] : (env['PATH'] ?? '').split(delimiter);
  const suffixes = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : [''];
  for (const folder of folders) {
    for (const suffix of suffixes) {
      const file = `${folder === '' ? command : join(folder, command)}${suffix}`;
      const found = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (found) return file;
    }
  }
  return undefined;
}
