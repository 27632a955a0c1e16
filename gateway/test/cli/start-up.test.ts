import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryHome } from './command-run.ts';
import { exitOf, outputOf, runCommand, spawnCommand } from './spawned-command.ts';

const crib = temporaryHome();

/** Writes down every module of a process that is no part of Node. */
const HOOK = `
import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
registerHooks({ load(url, context, next) {
  if (!url.startsWith('node:')) appendFileSync(process.env.LOADED, url + '\\n');
  return next(url, context);
} });`;

it('lists a small API without the tokenizer, and without what only calls and searches need', async () => {
  const loaded = join(crib.home, 'loaded.txt');
  const child = spawnCommand(['serve', '--stdio'], {
    cwd: crib.home,
    env: { LOADED: loaded, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HOOK)}` },
  });
  const output = outputOf(child);
  const request = async (id: number, method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return JSON.parse(await output.line((line) => JSON.parse(line).id === id));
  };
  await request(1, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  const { result } = await request(2, 'tools/list', {});
  const modules = (await readFile(loaded, 'utf8')).trim().split('\n');
  child.stdin.end();
  expect(await exitOf(child)).toBe(0);
  expect(result.tools.map(({ name }: { name: string }) => name)).toContain('searchPlaces');
  expect(modules.length).toBeGreaterThan(10);
  const early = /gpt-tokenizer|\/src\/(retrieval|permissions|features)\/|\/src\/results\/shaping\/index/;
  expect(modules.filter((url) => early.test(url))).toEqual([]);
});

it('keeps compiled code while it serves, since a client may kill it', async () => {
  const kept = join(crib.home, 'code');
  const child = spawnCommand(['serve', '--stdio'], { cwd: crib.home, env: { NODE_COMPILE_CACHE: kept } });
  const output = outputOf(child);
  const request = (id: number, method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return output.line((line) => JSON.parse(line).id === id);
  };
  await request(1, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  await request(2, 'tools/list', {});
  const files = () => readdir(kept, { recursive: true }).then((names) => names.length);
  await expect.poll(files).toBeGreaterThan(10);
  expect(child.exitCode).toBeNull();
  child.kill('SIGKILL');
  expect(await exitOf(child)).toBeNull();
});

it.runIf(process.platform === 'linux').each(['/proc', '/sys', '/nowhere/at-all'])(
  'starts, and compiles, where the temporary folder is %s',
  async (TMPDIR) => {
    const found = await runCommand(['tools'], { cwd: crib.home, env: { TMPDIR } });
    expect(found).toMatchObject({ exit: 0, out: expect.stringContaining('searchPlaces') });
  },
);
