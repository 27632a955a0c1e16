import { matchesTextGlob } from '../../operations/text/text-glob.ts';
import type { N8nConfig } from './config.ts';
import type { Workflow } from './workflow.ts';

/**
 * By tags that n8n cannot be asked for, and by `include` and `exclude`, which name workflows or ids; `*` in a name
 * stands for any text.
 */
export function isWanted(
  { id, name, tags: carried }: Workflow,
  { include, exclude = [], tags = [] }: N8nConfig,
): boolean {
  // The others were asked for: n8n compares them as its database does.
  if (!tags.filter((tag) => tag.includes(',')).every((tag) => carried.includes(tag.trim()))) return false;
  const matches = (patterns: readonly string[]) =>
    patterns.some((pattern) => pattern === id || matchesTextGlob(name, pattern));
  return (include === undefined || matches(include)) && !matches(exclude);
}
