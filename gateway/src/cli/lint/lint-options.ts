import type { SourceReader } from '../../sources/source-kind.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface LintOptions {
  readonly runTests: boolean;
  readonly reader: SourceReader;
  readonly terminal: Terminal;
}
