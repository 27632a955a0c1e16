// The `toolcrib` command of this checkout, in a folder of its own.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const bin = join(dirname(fileURLToPath(import.meta.resolve('toolcrib/package.json'))), 'bin', 'toolcrib.mjs');

/** `toolcrib …` in `folder`, where its state stays, too. `variables` are added to the environment. */
export function commandIn(folder, variables = {}) {
  const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state'), ...variables };
  const options = { cwd: folder, env };
  const run = promisify(execFile);
  /** What it prints; rejects with exit code and both outputs. */
  const toolcrib = async (...words) => (await run(process.execPath, [bin, ...words], options)).stdout;
  return {
    toolcrib,
    /** What it prints with `--json`, parsed. */
    toolcribJson: async (...words) => JSON.parse(await toolcrib(...words, '--json')),
    /** `toolcrib serve …` on a free port, once it listens. */
    async serve(...words) {
      const child = spawn(process.execPath, [bin, 'serve', '--port', '0', '--json', ...words], {
        ...options,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit');
      const failed = ended.then(([code]) => {
        throw new Error(`toolcrib serve ended with exit code ${code}`);
      });
      const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), failed]);
      const { url } = JSON.parse(line);
      return {
        url,
        /** Calls a tool without arguments over the HTTP API; what that answers. */
        async call(tool) {
          const answer = await fetch(new URL(`/api/v1/tools/${tool}/call`, url), {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ arguments: {} }),
          });
          return answer.json();
        },
        /** SIGTERM lets open calls finish; SIGKILL is what a broken machine does. */
        async stop(signal = 'SIGTERM') {
          child.kill(signal);
          await ended;
        },
      };
    },
    /** The same program for a StdioClientTransport. */
    overStdio: (...words) => ({
      command: process.execPath,
      args: [bin, ...words],
      ...options,
      stderr: 'inherit',
    }),
  };
}
