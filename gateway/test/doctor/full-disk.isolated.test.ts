import { readdir, writeFile } from 'node:fs/promises';
import { afterEach, expect, it, vi } from 'vitest';
import type { Finding } from '../../src/doctor/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { temporaryHome } from '../cli/command-run.ts';

const crib = temporaryHome();
const disk = vi.hoisted(() => ({ full: false }));

/** A full disk: it makes files, and takes no byte. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    writeFile: async (...[path, data, options]: Parameters<typeof real.writeFile>) => {
      await real.writeFile(path, disk.full ? '' : data, options);
      if (disk.full && (data as Uint8Array).length > 0)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
          code: 'ENOSPC',
          syscall: 'write',
        });
    },
  };
});
afterEach(() => {
  disk.full = false;
});

it('is told by the doctor and by `toolcrib store status`, while the store can still be read', async () => {
  await writeFile(crib.path('toolcrib.yaml'), 'sources: {}\nstateDirectory: ./state\n');
  await (await openStore(`sqlite:${crib.path('state', 'toolcrib.db')}`)).close();
  expect((await crib.run(['store', 'status'])).exit).toBe(0);
  disk.full = true;
  const { out } = await crib.run(['doctor', '--json']);
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  const next = 'Make room on the disk, then try again.';
  for (const check of ['state', 'store'])
    expect(findings.find((one) => one.check === check)).toMatchObject({ status: 'error', next });
  const { exit, err } = await crib.run(['store', 'status']);
  expect(exit).toBe(69);
  expect(err).toContain('cannot be written. The disk is full (ENOSPC).');
});

it.each([
  ['console', 'Sign-in codes cannot be read or written.', 'sign-in-codes'],
  ['approvals token', 'The approver token cannot be read or made.', 'approver-token'],
])('is told by `toolcrib %s`, which leaves nothing behind', async (command, message, name) => {
  await writeFile(crib.path('toolcrib.yaml'), 'sources: {}\nstateDirectory: ./state\n');
  disk.full = true;
  const { exit, err } = await crib.run(command.split(' '));
  expect([exit, err]).toEqual([
    69,
    `error store_unavailable: ${message} The disk is full (ENOSPC).\n` +
      `  at:   ${crib.path('state', name)}\n` +
      '  next: Make room on the disk, then try again.\n',
  ]);
  const left = await readdir(crib.path('state'), { recursive: true });
  expect(left.filter((one) => one.startsWith(`${name}/`) || one.startsWith(`${name}.`))).toEqual([]);
});
