import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createGateway } from '../src/index.ts';
import { buildStamp, programStamp, sourceStamp } from '../src/program-stamp.ts';

const program = vi.hoisted(() => ({ stamp: '' }));
vi.mock('../src/program-stamp.ts', async (original) => {
  const { buildStamp, sourceStamp } = await original<typeof import('../src/program-stamp.ts')>();
  return { buildStamp, sourceStamp, programStamp: () => program.stamp };
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolcrib-stamp-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('another build is another program: its files are new, or have other names', () => {
  const main = join(folder, 'main.js');
  const build = (at: Date, ...names: string[]) => {
    for (const name of ['main.js', ...names]) writeFileSync(join(folder, name), '');
    utimesSync(main, at, at);
    return buildStamp(main);
  };
  const at = new Date('2026-11-21T12:00:00Z');
  const first = build(at, 'main-names-Dc1x.js');
  expect(buildStamp(main)).toBe(first);
  const seen = new Set([first, build(new Date(), 'main-names-Dc1x.js'), build(at, 'main-names-B8vQ.js')]);
  expect(seen.size).toBe(3);
});

it('code of another size, name or time in a room is another program, whatever lies elsewhere', () => {
  const at = new Date('2026-11-21T12:00:00Z');
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
    utimesSync(join(folder, path), at, at);
  };
  write('main.js', 'a');
  write('compiler/names.js', 'a');
  const first = sourceStamp(folder);
  write('compiler/names.js', 'b');
  write('console/page.js', 'a');
  expect(sourceStamp(folder)).toBe(first);
  const seen = new Set([first]);
  write('compiler/names.js', 'longer');
  seen.add(sourceStamp(folder));
  write('sources/openapi/new.js', 'a');
  seen.add(sourceStamp(folder));
  utimesSync(join(folder, 'main.js'), at, new Date());
  seen.add(sourceStamp(folder));
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
