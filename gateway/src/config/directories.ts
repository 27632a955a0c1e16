import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { DEFAULTS } from './defaults.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The user's folder; the environment wins over the account, so that it can be moved. A user of no account has `/`, as
 * container engines say it.
 */
export function homeDirectory(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const named = platform === 'win32' ? (env['USERPROFILE'] ?? env['HOME']) : env['HOME'];
  if (named !== undefined && named !== '') return named;
  try {
    // an empty HOME names no folder, but homedir() repeats it
    return homedir() || userInfo().homedir;
  } catch {
    return '/';
  }
}

/** Where state that survives restarts lies: XDG Base Directory `XDG_STATE_HOME`, on Windows `LOCALAPPDATA`. */
export function defaultStateDirectory(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = homeDirectory(env, platform);
  if (platform === 'win32') {
    return join(env['LOCALAPPDATA'] ?? env['APPDATA'] ?? join(home, 'AppData', 'Local'), 'toolcrib');
  }
  const state = env['XDG_STATE_HOME'];
  return join(state !== undefined && isAbsolute(state) ? state : join(home, '.local', 'state'), 'toolcrib');
}

/** A path of the configuration as an absolute path; `~/` is the user's folder. */
export function absolutePath(path: string, baseDirectory: string, env: Environment): string {
  if (path === '~' || path.startsWith('~/') || path.startsWith('~\\')) {
    return join(homeDirectory(env), path.slice(1));
  }
  return resolve(baseDirectory, path);
}

/**
 * Where the lock lies when nobody says it: beside the configuration, and with the state where that folder holds none
 * and takes none (a mounted one, `/etc` for a service).
 * @param takesFiles for tests: who runs as root can write everywhere
 */
export function defaultLockFile(
  baseDirectory: string,
  stateDirectory: string,
  takesFiles = canBeWritten,
): string {
  const beside = resolve(baseDirectory, DEFAULTS.lockFile);
  if (existsSync(beside) || takesFiles(baseDirectory)) return beside;
  const key = createHash('sha256').update(resolve(baseDirectory)).digest('hex').slice(0, 16);
  return join(stateDirectory, 'configurations', key, DEFAULTS.lockFile);
}

/** A folder that is not there yet can be made; what else is wrong with it, who writes into it says. */
function canBeWritten(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    return !['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}
