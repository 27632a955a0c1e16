import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitOf, outputOf, runCommand, spawnCommand } from './spawned-command.ts';

it('toolcrib events --follow shows what another process does, until it is asked to end', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'toolcrib-follow-'));
  const configuration = { store: `sqlite:${join(cwd, 'events.db')}`, sources: { own: { self: {} } } };
  await writeFile(join(cwd, 'toolcrib.json'), JSON.stringify(configuration));
  // the first call makes the store
  await runCommand(['call', 'own_listSources'], { cwd });
  const following = spawnCommand(['events', '--follow', '--json'], { cwd });
  try {
    const output = outputOf(following);
    await output.line((line) => line.includes('call-completed'));
    await runCommand(['call', 'own_getConfig'], { cwd });
    await output.line((line) => line.includes('own_getConfig') && line.includes('call-completed'));
    expect(following.exitCode).toBeNull();
    following.kill('SIGTERM');
    expect(await exitOf(following)).toBe(0);
  } finally {
    following.kill('SIGKILL');
    await rm(cwd, { recursive: true, force: true });
  }
});
