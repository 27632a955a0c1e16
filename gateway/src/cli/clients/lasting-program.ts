import { realpathSync } from 'node:fs';

/** Homebrew keeps each version in a folder of its own, which its next update removes, and a link to the one in use. */
const HOMEBREW = /^(.*)\/Cellar\/([^/]+)\/[^/]+(\/.+)$/;

/** Its name ends with the shell that fnm made it for; on Windows programs know themselves by the link. */
const FNM = /[\\/]fnm_multishells[\\/]/;

/** The path by which a program is still found after an update; the path itself where nothing else leads to it. */
export function lastingProgram(path: string): string {
  const [, prefix, formula, rest] = HOMEBREW.exec(path) ?? [];
  const isOfShell = FNM.test(path);
  if (formula === undefined && !isOfShell) return path;
  const link = `${prefix}/opt/${formula}${rest}`;
  try {
    if (isOfShell) return realpathSync(path);
    return realpathSync(link) === realpathSync(path) ? link : path;
  } catch {
    return path;
  }
}
