import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../gateway/test/free-port.ts';

const READY_MS = 20_000;

/** Starts Debian's Alertmanager on loopback with a storage of its own. */
export async function startAlertmanager(directory) {
  const config = join(directory, 'alertmanager.yml');
  const storage = join(directory, 'storage');
  mkdirSync(storage);
  writeFileSync(config, 'route: { receiver: nobody }\nreceivers: [{ name: nobody }]\n');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const flags = [
    `--config.file=${config}`,
    `--storage.path=${storage}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
  ];
  const daemon = start('prometheus-alertmanager', flags);
  await daemon.until(async () => (await fetch(`${url}/-/ready`)).ok);
  return { url, stop: daemon.stop };
}

/** Starts `toolcrib serve` over HTTP on a free port; resolves with its MCP URL. */
export async function startToolcrib(command, args) {
  const daemon = start(command, args);
  const lines = createInterface({ input: daemon.child.stdout });
  let listening;
  lines.on('line', (line) => {
    const message = parsed(line);
    if (message?.type === 'listening') listening = message;
  });
  await daemon.until(async () => listening !== undefined);
  return { mcp: listening.mcp, stop: daemon.stop };
}

function start(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stdout.resume();
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-2000);
  });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`${signal ?? `exit ${code}`}: ${stderr}`));
  });
  let over;
  void ended.then((reason) => {
    over = reason;
  });
  return {
    child,
    async until(ready) {
      for (const deadline = Date.now() + READY_MS; Date.now() < deadline; ) {
        if (over !== undefined) throw new Error(`${command} ended: ${over}`);
        if (await ready().catch(() => false)) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`${command} was not ready within ${READY_MS / 1000} s: ${stderr}`);
    },
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
