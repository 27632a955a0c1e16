import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spawnCommand } from './spawned-command.ts';

function folder(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'toolcrib-ended-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return cwd;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The signal that ended it, else its exit code. */
async function endOf(child: ChildProcess): Promise<unknown> {
  const [code, signal] = await once(child, 'exit');
  return signal ?? code;
}

// there a signal from another process ends a program at once
describe.skipIf(process.platform === 'win32')('a command that a signal ends', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'takes a server along that does not answer yet: %s',
    async (signal) => {
      const alive = createServer();
      const port = await listen(alive);
      // says that it lives by a connection, and neither reads nor answers
      const code = `require('node:net').connect(${port}, '127.0.0.1')`;
      const cwd = folder();
      const silent = { command: process.execPath, args: ['-e', code] };
      writeFileSync(join(cwd, 'toolcrib.json'), JSON.stringify({ mcpServers: { silent } }));
      const started = once(alive, 'connection');
      const child = spawnCommand(['tools', '--config', 'toolcrib.json'], { cwd });
      const [socket] = (await started) as [Socket];
      const gone = once(socket.on('error', () => undefined).resume(), 'close');
      child.kill(signal);
      expect(await endOf(child)).toBe(signal);
      await gone;
    },
  );

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'says what became of its call, and leaves the loop of a shell: %s',
    async (signal) => {
      const service = createHttpServer();
      onTestFinished(() => service.closeAllConnections());
      const port = await listen(service);
      const cwd = folder();
      const shed = {
        openapi: '3.1.0',
        info: { title: 'Shed', version: '1' },
        servers: [{ url: `http://127.0.0.1:${port}` }],
        paths: {
          '/tools': { post: { operationId: 'addTool', responses: { 204: { description: 'Done' } } } },
        },
      };
      writeFileSync(join(cwd, 'shed.json'), JSON.stringify(shed));
      const asked = once(service, 'request');
      const words = ['call', 'addTool', '--spec', 'shed.json', '--allow-private', '127.0.0.1'];
      const child = spawnCommand(words, { cwd });
      let told = '';
      child.stderr.on('data', (chunk) => {
        told += String(chunk);
      });
      await asked;
      child.kill(signal);
      expect(await endOf(child)).toBe(signal);
      expect(told).toContain('Whether the POST was carried out is not known.');
    },
  );
});
