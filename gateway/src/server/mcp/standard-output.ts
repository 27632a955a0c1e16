import { Writable } from 'node:stream';

export interface ClaimedOutput {
  /** The only way to standard output until it is released. */
  readonly output: Writable;
  release(): void;
}

/** Standard output belongs to MCP: whatever else writes to it, a `console.log` in a handler say, goes to standard error. */
export function claimStandardOutput(): ClaimedOutput {
  const { stdout, stderr } = process;
  const write = stdout.write;
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, callback) {
      if (write.call(stdout, chunk as never)) callback();
      else stdout.once('drain', callback);
    },
  });
  const onError = (error: Error) => void output.destroy(error);
  stdout.on('error', onError);
  return {
    output,
    release() {
      stdout.write = write;
      stdout.off('error', onError);
    },
  };
}
