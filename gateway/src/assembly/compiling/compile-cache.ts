import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Compiled code is kept between starts, in the temporary folder. Node tries for ever to make its folder where there can
 * be none (`TMPDIR=/proc`): it is made before, and nothing is kept where that fails.
 */
export function enableCompileCache(folder: string = tmpdir()): boolean {
  try {
    mkdirSync(join(folder, 'node-compile-cache'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  module.enableCompileCache?.();
  return true;
}
