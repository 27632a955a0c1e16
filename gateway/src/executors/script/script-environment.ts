import { delimiter, isAbsolute } from 'node:path';

/** What programs need to run at all, and what says how they shall write; nothing else of ours reaches them. */
const INHERITED = ['LANG', 'LC_ALL', 'TZ'];
const PATH = '/usr/local/bin:/usr/bin:/bin';

/** The folders that programs are found in: ours, without those that depend on where one stands. */
export function programPath(env: NodeJS.ProcessEnv = process.env): string {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  return folders.length === 0 ? PATH : folders.join(delimiter);
}

/**
 * The whole environment of a program but for its folders: `PATH`, `LANG`, `LC_ALL`, `TZ` of ours, then what it was
 * given. Python writes no compiled files: packages are frozen.
 */
export function scriptEnvironment(
  given: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return {
    PATH: programPath(env),
    ...Object.fromEntries(inherited),
    PYTHONDONTWRITEBYTECODE: '1',
    ...given,
  };
}

/** A folder of its own as home and for temporary files, under every name by which programs look for these. */
export function privateFolders(
  work: string,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const names = platform === 'win32' ? ['HOME', 'USERPROFILE', 'TMPDIR', 'TEMP', 'TMP'] : ['HOME', 'TMPDIR'];
  return Object.fromEntries(names.map((name) => [name, work]));
}

/** What no environment can hold: why, without the value. */
export function environmentProblem(env: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(env)) {
    if (name === '' || /[=\0]/.test(name)) return `${JSON.stringify(name)} is no name of a variable`;
    if (value.includes('\0')) return `the variable ${name} has a NUL character`;
  }
  return undefined;
}
