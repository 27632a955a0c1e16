// The `toolcrib` command of this checkout, in a folder of its own.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const bin = join(dirname(fileURLToPath(import.meta.resolve('toolcrib/package.json'))), 'bin', 'toolcrib.mjs');

/** Runs `toolcrib …` in `folder`: its standard output, parsed where it is JSON. Rejects when it fails. */
export function commandIn(folder, env) {
  const options = { cwd: folder, env: { ...process.env, XDG_STATE_HOME: join(folder, 'state'), ...env } };
  const run = promisify(execFile);
  return {
    async toolcrib(...words) {
      const { stdout } = await run(process.execPath, [bin, ...words], options);
      return words.includes('--json') ? JSON.parse(stdout) : stdout;
    },
    /** Starts `toolcrib serve` on a free port; `stop` lets running calls finish. */
    async serve() {
      const child = spawn(process.execPath, [bin, 'serve', '--port', '0', '--json'], {
        ...options,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines = createInterface({ input: child.stdout });
      const ended = once(child, 'exit');
      const [line] = await Promise.race([once(lines, 'line'), ended]);
      const { url } = JSON.parse(line);
      return {
        url,
        async stop() {
          child.kill('SIGTERM');
          await ended;
        },
      };
    },
  };
}
