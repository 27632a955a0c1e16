import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What a program of Node prints that imports `from` as `room` and then has no free file descriptor. */
export async function withoutDescriptors(from: URL, code: string): Promise<string> {
  const program = `
    import { openSync } from 'node:fs';
    const room = await import(${JSON.stringify(from.href)});
    try { for (;;) openSync('/dev/null', 'r'); } catch {}
    ${code}`;
  const words = [
    '-c',
    'ulimit -n 100; exec "$0" "$@"',
    process.execPath,
    '--input-type=module',
    '-e',
    program,
  ];
  const { stdout } = await promisify(execFile)('sh', words);
  return stdout;
}
