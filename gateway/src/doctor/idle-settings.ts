import type { Diagnostic } from '../operations/index.ts';
import type { Finding } from './finding.ts';

/** Rules about what may be called: where they pick nothing, an operation stays open as if they had not been written. */
const LEFT_OPEN: ReadonlySet<string> = new Set([
  'exclude-unmatched',
  'access-rule-unmatched',
  'access-rule-refused',
]);

const IDLE: ReadonlySet<string> = new Set([
  ...LEFT_OPEN,
  'include-unmatched',
  'permission-rule-unmatched',
  'admin-tag-unmatched',
  'feature-unmatched',
  'cost-rule-unmatched',
]);

/** One that leaves callers more than its author meant. */
export function leavesOpen({ code }: Diagnostic): boolean {
  return LEFT_OPEN.has(code);
}

/** Rules of a source that pick no operation: a slip of the pen leaves what they are about as it was. */
export function checkIdleSettings(diagnostics: readonly Diagnostic[]): Finding[] {
  return diagnostics
    .filter(({ code }) => IDLE.has(code))
    .map(({ source = '', message }) => ({
      check: `settings of ${source}`,
      status: 'warning',
      message,
      next: 'Compare it with the id, tags, path and method that `toolcrib describe TOOL` shows.',
    }));
}
