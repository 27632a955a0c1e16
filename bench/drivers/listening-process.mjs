import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Starts a server that says where it listens: in one JSON line, or as `toolcrib serve` tells people (`MCP  http://…`). */
export async function startListening(args, options = {}) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-2000);
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const mcp = /^ +MCP +(http\S+)$/.exec(line)?.[1];
    const message = line.startsWith('{"type":"listening"') ? JSON.parse(line) : mcp && { mcp };
    if (message === undefined) continue;
    child.stdout.resume();
    return { ...message, pid: child.pid, stop };
  }
  throw new Error(`${args.join(' ')} ended before it listened: ${stderr}`);
}
