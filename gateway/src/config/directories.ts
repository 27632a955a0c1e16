import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

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
