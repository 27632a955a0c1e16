import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The command that serves the fixture on standard input and output. */
export const STDIO_COMMAND = [process.execPath, fileURLToPath(new URL('serve.ts', import.meta.url))];

/** Starts the fixture on a free loopback port; resolves with its MCP address and a function that stops it. */
export async function startGateway() {
  const [command, script] = STDIO_COMMAND;
  const child = spawn(command, [script, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const first = once(lines, 'line').then(([line]) => line);
  const url = await Promise.race([
    first,
    exited.then(([code]) => Promise.reject(new Error(`the gateway ended with ${code} before it listened`))),
  ]);
  return {
    url: `${url}/mcp`,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Runs a program to its end; resolves with its exit code and what it wrote. */
export async function run(args, { timeoutMs = 300_000, env = {} } = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    env: { ...process.env, ...env },
  });
  const chunks = { stdout: [], stderr: [] };
  for (const stream of ['stdout', 'stderr']) child[stream].on('data', (chunk) => chunks[stream].push(chunk));
  const [code] = await once(child, 'close');
  return {
    code,
    stdout: Buffer.concat(chunks.stdout).toString(),
    stderr: Buffer.concat(chunks.stderr).toString(),
  };
}
