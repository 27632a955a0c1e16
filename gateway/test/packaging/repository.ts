import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Absolute path of a file of the repository. */
export function inRepository(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}

export function textOf(path: string): string {
  return readFileSync(inRepository(path), 'utf8');
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever stands there
export function jsonOf(path: string): any {
  return JSON.parse(textOf(path));
}
