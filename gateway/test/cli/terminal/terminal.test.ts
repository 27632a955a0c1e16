import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandFile } from '../../command-file.ts';

/** A device that is always full (Linux). */
const FULL = '/dev/full';

describe.runIf(existsSync(FULL))('an output that takes no more', () => {
  let full = 0;
  beforeAll(() => {
    full = openSync(FULL, 'w');
  });
  afterAll(() => closeSync(full));

  it('is told in two lines, with its exit code', () => {
    const { status, stderr } = spawnSync(process.execPath, [commandFile(), '--version'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    expect(status).toBe(73);
    expect(stderr).toMatch(/^error file_unusable: Standard output .*ENOSPC.*\n {2}next: .*\n$/);
  });

  it('changes no exit code where it is standard error', () => {
    const argv = [commandFile(), 'lint', 'absent.yaml'];
    const { status: expected } = spawnSync(process.execPath, argv, { stdio: 'ignore' });
    const { status } = spawnSync(process.execPath, argv, { stdio: ['ignore', 'ignore', full] });
    expect(expected).toBeGreaterThan(1);
    expect(status).toBe(expected);
  });
});

it.runIf(process.platform === 'linux')('a working directory that is gone is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-gone-'));
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', 'rmdir "$1"; exec "$2" "$3" tools', 'sh', folder, process.execPath, commandFile()],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(status).toBe(66);
  expect(stderr).toMatch(/^error source_unreadable: The folder that this runs in is gone\.\n {2}next: .*\n$/);
});

it('a stop signal ends a start that waits for a source', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  const asked = once(silent, 'request');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const home = mkdtempSync(join(tmpdir(), 'toolcrib-silent-'));
  const child = spawn(
    process.execPath,
    [commandFile(), 'serve', `http://127.0.0.1:${port}/api.json`, '--port', '0'],
    {
      env: { PATH: process.env['PATH'], HOME: home, XDG_STATE_HOME: home },
      stdio: 'ignore',
    },
  );
  await asked;
  child.kill('SIGTERM');
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGTERM');
  silent.closeAllConnections();
  silent.close();
  rmSync(home, { recursive: true, force: true });
});
