import { realpathSync } from 'node:fs';

/** Homebrew keeps each version in a folder of its own, which its next update removes, and a link to the one in use. */
const HOMEBREW = /^(.*)\/Cellar\/([^/]+)\/[^/]+(\/.+)$/;

/** The path by which a program is still found after an update; the path itself where nothing else leads to it. */
export function lastingProgram(path: string): string {
  const [, prefix, formula, rest] = HOMEBREW.exec(path) ?? [];
  if (formula === undefined) return path;
  const link = `${prefix}/opt/${formula}${rest}`;
  try {
    return realpathSync(link) === realpathSync(path) ? link : path;
  } catch {
    return path;
  }
}
