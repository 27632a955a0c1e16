import type { LineOutput } from './line-writer.ts';

export interface ClaimedOutput {
  /** The only way to standard output until it is released. */
  readonly output: LineOutput;
  release(): void;
}

/** Standard output belongs to MCP: whatever else writes to it, a `console.log` in a handler say, goes to standard error. */
export function claimStandardOutput(): ClaimedOutput {
  const { stdout, stderr } = process;
  const write = stdout.write;
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  return {
    output: { write: (text) => write.call(stdout, text), events: stdout },
    release() {
      stdout.write = write;
    },
  };
}
