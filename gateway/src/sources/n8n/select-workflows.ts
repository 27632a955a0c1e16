import { matchesTextGlob } from '../../operations/text/text-glob.ts';
import type { N8nConfig } from './config.ts';
import type { Workflow } from './workflow.ts';

/** By `include` and `exclude`, which name workflows or ids; `*` in a name stands for any text. */
export function isWanted({ id, name }: Workflow, { include, exclude = [] }: N8nConfig): boolean {
  const matches = (patterns: readonly string[]) =>
    patterns.some((pattern) => pattern === id || matchesTextGlob(name, pattern));
  return (include === undefined || matches(include)) && !matches(exclude);
}
