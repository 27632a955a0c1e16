import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import type { Configuration } from '../../../src/config/index.ts';
import { checkPort } from '../../../src/doctor/port/port.ts';
import { httpEndpoint } from '../../server/http/http-endpoint.ts';

const at = (port: number, host = '127.0.0.1') =>
  ({ server: { host, port }, auth: { mode: 'local' } }) as unknown as Configuration;

it('names the gateway that has the port already, and its console', async () => {
  await using endpoint = await httpEndpoint({ definitions: [] } as never);
  const port = Number(new URL(endpoint.url).port);
  expect(await checkPort(at(port), {})).toEqual({
    check: 'server',
    status: 'info',
    message: expect.stringMatching(
      new RegExp(`in use by a gateway that already runs: .+, console at http://127\\.0\\.0\\.1:${port}/\\.$`),
    ),
    next: expect.stringContaining('--port'),
  });
});

it.runIf(process.platform === 'linux')('names the program that has the port', async () => {
  const code = `require('node:net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { status, message } = await checkPort(at(Number(String(line))), {});
    expect(status).toBe('warning');
    expect(message).toMatch(new RegExp(`in use by node \\(process ${child.pid}\\)\\.$`));
  } finally {
    child.kill('SIGKILL');
  }
});

it('says so when the port is free, and when others could reach it', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  holder.close();
  await once(holder, 'close');
  expect(await checkPort(at(port), {})).toMatchObject({ status: 'ok' });
  expect(await checkPort(at(port, '0.0.0.0'), {})).toMatchObject({
    status: 'error',
    next: expect.stringContaining('server.token'),
  });
});
