import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createGateway } from '../src/index.ts';
import { programStamp, stampOf } from '../src/program-stamp.ts';

const program = vi.hoisted(() => ({ stamp: '' }));
vi.mock('../src/program-stamp.ts', async (original) => {
  const { stampOf } = await original<typeof import('../src/program-stamp.ts')>();
  return { stampOf, programStamp: () => program.stamp };
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolcrib-stamp-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('code of another size, name or time in a room is another program, whatever lies elsewhere', () => {
  const at = new Date('2026-11-21T12:00:00Z');
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
    utimesSync(join(folder, path), at, at);
  };
  write('main.js', 'a');
  write('compiler/names.js', 'a');
  const first = stampOf(folder);
  write('compiler/names.js', 'b');
  write('console/page.js', 'a');
  expect(stampOf(folder)).toBe(first);
  const seen = new Set([first]);
  write('compiler/names.js', 'longer');
  seen.add(stampOf(folder));
  write('sources/openapi/new.js', 'a');
  seen.add(stampOf(folder));
  utimesSync(join(folder, 'main.js'), at, new Date());
  seen.add(stampOf(folder));
  expect(seen.size).toBe(4);
});

it('what another program compiled is not read from the cache', async () => {
  const paths = { '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'ok' } } } } };
  const document = join(folder, 'pets.json');
  writeFileSync(
    document,
    JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, servers: [], paths }),
  );
  const start = async (stamp: string) => {
    program.stamp = stamp;
    expect(programStamp()).toBe(stamp);
    const settings = { stateDirectory: join(folder, 'state'), sources: { pets: { openapi: document } } };
    const gateway = await createGateway(settings, { baseDirectory: folder, env: {} });
    await gateway.close();
    return readdirSync(join(folder, 'state', 'cache')).filter((name) => /^[0-9a-f]+\.json$/.test(name))
      .length;
  };
  expect(await start('one')).toBe(1);
  expect(await start('one')).toBe(1);
  expect(await start('two')).toBe(2);
});
