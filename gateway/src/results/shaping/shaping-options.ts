import type { ArtifactStore } from '../../artifacts/index.ts';
import type { Operation, Principal, UntrustedRule } from '../../operations/index.ts';
import type { CompilePattern } from './conditions.ts';
import type { OutputLimits } from './shaped-output.ts';

/** Who reads an answer, and within which run. */
export interface Reader {
  readonly principal: Principal;
  readonly run?: string;
}

export interface ShapingOptions {
  /** Regular expressions of filters; linear time. */
  readonly patterns: CompilePattern;
  /** Where whole answers of this principal stand, and nobody else's; of those, what it may still read. */
  readonly artifacts: (principal: Principal) => Pick<ArtifactStore, 'put' | 'get'>;
  /** What is done to an operation's results; undefined: no stranger wrote them. */
  readonly untrusted: (operation: Operation) => UntrustedRule | undefined;
  /** Told before rows of strangers are delivered that were stored earlier. */
  readonly delivered?: (source: string, reader: Reader) => Promise<void>;
  /** What an operation's hints say of its results, such as how long they hold. */
  readonly notes?: (operation: Operation) => readonly string[];
  /** What clients take at once; default 60,000 characters and 20,000 tokens. */
  readonly limits?: () => Partial<OutputLimits>;
}
