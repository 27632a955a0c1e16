import { ERRORS } from '../../errors.ts';
import type { Diagnostic } from '../../operations/index.ts';

/** What lint says of one file or folder. */
export interface Linted {
  /** Path as it was found, absolute. */
  readonly file: string;
  readonly kind: 'manifest' | 'tool' | 'skill' | 'source';
  /** Operations of a manifest, tools of the rest. */
  readonly operations: number;
  /** Examples that were run. */
  readonly examples?: number;
  /** Test files that were run; absent: none was asked for. */
  readonly tests?: number;
  readonly findings: readonly Diagnostic[];
}

/** Exit code 65 where one of them has an error. */
export function exitOf(linted: readonly Linted[]): number {
  const failed = linted.some(({ findings }) => findings.some(({ severity }) => severity === 'error'));
  return failed ? ERRORS.source_invalid.exit : 0;
}
