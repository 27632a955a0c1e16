// The `toolcrib` command of this checkout, in a folder of its own, with variables of its own.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const bin = join(dirname(fileURLToPath(import.meta.resolve('toolcrib/package.json'))), 'bin', 'toolcrib.mjs');

/** `toolcrib …` in `folder`, and `toolcrib serve` on a free port, as often as it is asked for. */
export function commandIn(folder, variables) {
  const options = {
    cwd: folder,
    env: { ...process.env, ...variables, XDG_STATE_HOME: join(folder, 'state') },
  };
  const run = promisify(execFile);
  return {
    async toolcrib(...words) {
      const { stdout } = await run(process.execPath, [bin, ...words, '--json'], options);
      return JSON.parse(stdout);
    },
    async serve(...words) {
      const child = spawn(process.execPath, [bin, 'serve', '--port', '0', '--json', ...words], {
        ...options,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit');
      const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
      return {
        url: JSON.parse(line).url,
        /** SIGTERM lets open calls finish; SIGKILL is what a broken machine does. */
        async stop(signal = 'SIGTERM') {
          child.kill(signal);
          await ended;
        },
      };
    },
  };
}
