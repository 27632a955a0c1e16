import { matchesTextGlob } from '../../operations/text/text-glob.ts';
import type { N8nConfig } from './config.ts';
import type { Workflow } from './workflow.ts';

/**
 * By tags that n8n cannot be asked for, and by `include` and `exclude`, which name workflows or ids; `*` in a name
 * stands for any text.
 */
export function isWanted(workflow: Workflow, { include, exclude = [], tags = [] }: N8nConfig): boolean {
  const { tags: carried } = workflow;
  // The others were asked for: n8n compares them as its database does.
  if (!tags.filter((tag) => tag.includes(',')).every((tag) => carried.includes(tag.trim()))) return false;
  const matches = (patterns: readonly string[]) => patterns.some((pattern) => isMeant(workflow, pattern));
  return (include === undefined || matches(include)) && !matches(exclude);
}

function isMeant({ id, name }: Workflow, pattern: string): boolean {
  return pattern === id || matchesTextGlob(name, pattern);
}

/** Names of `include` and `exclude` that mean none of these, so that a slip of the pen is seen. */
export function unmatched(
  found: readonly Workflow[],
  { include = [], exclude = [] }: N8nConfig,
): readonly string[] {
  const idle = (key: string, patterns: readonly string[], effect: string) =>
    patterns
      .filter((pattern) => !found.some((workflow) => isMeant(workflow, pattern)))
      .map(
        (pattern) => `${key} names ${JSON.stringify(pattern)}, which is no active workflow: it ${effect}.`,
      );
  return [...idle('include', include, 'brings none in'), ...idle('exclude', exclude, 'leaves none out')];
}
