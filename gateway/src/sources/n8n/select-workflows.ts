import type { N8nConfig } from './config.ts';
import type { Workflow } from './workflow.ts';

/** By `include` and `exclude`, which name workflows or ids. */
export function isWanted({ id, name }: Workflow, { include, exclude = [] }: N8nConfig): boolean {
  const matches = (patterns: readonly string[]) =>
    patterns.some((pattern) => pattern === id || fits(pattern, name));
  return (include === undefined || matches(include)) && !matches(exclude);
}

/** `*` stands for any run of characters. */
function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === name;
  if (!name.startsWith(first)) return false;
  const last = rest.pop()!;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
