import { describe, expect, it } from 'vitest';
import type { Logger } from '../src/telemetry/logger.ts';
import { documentWith, liveFolder, toolNames } from './live-folder.ts';
import { liveService } from './live-service.ts';

const base = 'https://api.example';

describe('a source that cannot be read is read again when its file can be', () => {
  it('that was not there when the gateway started', async () => {
    const { put, configure, start } = await liveFolder();
    await put('a.json', documentWith(base, 'one'));
    await configure({ sources: { a: { openapi: './a.json' }, b: { openapi: './b.json' } } });
    const gateway = await start();
    expect(toolNames(gateway)).toEqual(['a_one']);
    await put('b.json', documentWith(base, 'two'));
    await expect.poll(() => toolNames(gateway)).toEqual(['a_one', 'b_two']);
    expect(gateway.diagnostics()).toEqual([]);
  });

  it.each([
    ['a small one', '{ "openapi":'],
    ['one that is read by a process of its own', `{ "openapi": ${' '.repeat(600 * 1024)}`],
  ])('that was broken when it was added: %s', async (_which, broken) => {
    const { put, configure, load, start } = await liveFolder();
    await put('a.json', documentWith(base, 'one'));
    await put('b.json', broken);
    await configure({ sources: { a: { openapi: './a.json' } } });
    const gateway = await start();
    await configure({ sources: { a: { openapi: './a.json' }, b: { openapi: './b.json' } } });
    await gateway.reconfigure(await load());
    expect(gateway.diagnostics()).toMatchObject([{ code: 'source-failed', source: 'b' }]);
    await put('b.json', documentWith(base, 'two'));
    await expect.poll(() => toolNames(gateway)).toEqual(['a_one', 'b_two']);
  });

  it.each([false, true])('of which a part was missing; with a cache: %s', async (cache) => {
    const { put, configure, start } = await liveFolder();
    const whole = JSON.parse(documentWith(base, 'one'));
    whole.paths['/two'] = { $ref: './two.json' };
    await put('a.json', JSON.stringify(whole));
    await configure({ cache, sources: { a: { openapi: './a.json' } } });
    const first = await start();
    expect(toolNames(first)).toEqual(['a_one']);
    await put(
      'two.json',
      JSON.stringify({ get: { operationId: 'two', responses: { 200: { description: 'ok' } } } }),
    );
    await expect.poll(() => toolNames(first)).toEqual(['a_one', 'a_two']);
    const second = await start();
    expect(toolNames(second)).toEqual(['a_one', 'a_two']);
  });
});

it('takes over what changed while the gateway started', async () => {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const service = await liveService(async (_request, response) => {
    asked.resolve();
    await held.promise;
    response.end(documentWith(base, 'one'));
    return true;
  });
  const { configure, start } = await liveFolder();
  const source = { openapi: `${service.base}/api.json` };
  await configure({ sources: { before: source } });
  const starting = start();
  await asked.promise;
  await configure({ sources: { after: source } });
  held.resolve();
  const gateway = await starting;
  await expect.poll(() => toolNames(gateway)).toEqual(['after_one']);
});

it('follows the presets that a configuration names', async () => {
  const { put, configure, start } = await liveFolder();
  await put('a.json', documentWith(base, 'one', 'two'));
  const presetWithout = (name: string, operation: string) =>
    put(name, `name: own\nsource: { exclude: [ { operation: ${operation} } ] }\n`);
  const configureWith = (preset: string) =>
    configure({ sources: { a: { openapi: './a.json', preset: `./${preset}` } } });
  await presetWithout('first.yaml', 'two');
  await configureWith('first.yaml');
  const told: string[] = [];
  const tell = (_facts: unknown, message: string) => void told.push(message);
  const info = (message: string) => void told.push(message);
  const gateway = await start({ logger: { error: tell, warn: tell, info } as unknown as Logger });
  expect(toolNames(gateway)).toEqual(['a_one']);
  await presetWithout('first.yaml', 'one');
  await expect.poll(() => toolNames(gateway)).toEqual(['a_two']);
  // named before it is there
  await configureWith('second.yaml');
  await expect.poll(() => told).toEqual([expect.stringContaining('the gateway goes on as it is')]);
  await presetWithout('second.yaml', 'two');
  await expect.poll(() => toolNames(gateway)).toEqual(['a_one']);
  // once: what counts already needs no word
  const again = expect.stringMatching(/toolcrib\.yaml can be used again: what it says counts\.$/);
  await expect.poll(() => told.slice(1)).toEqual([again]);
  await presetWithout('second.yaml', 'one');
  await expect.poll(() => toolNames(gateway)).toEqual(['a_two']);
  expect(told).toHaveLength(2);
});

it('takes over nothing of a configuration whose category file cannot be used', async () => {
  const { put, configure, load, start } = await liveFolder();
  await put('a.json', documentWith(base, 'one'));
  const categories = ['./crm.yaml'];
  await configure({ categories, watch: false, sources: { a: { openapi: './a.json' } } });
  const gateway = await start();
  const sources = { a: { openapi: './a.json', prefix: 'shop' }, lever: { manifest: 'lever' } };
  await configure({ categories, watch: false, sources });
  await expect(gateway.reconfigure(await load())).rejects.toThrow('category file');
  expect(Object.keys(gateway.configuration.sources)).toEqual(['a']);
  expect(toolNames(gateway)).toEqual(['a_one']);
  await put('crm.yaml', 'category: crm\nrecords: {}\n');
  await gateway.reconfigure(await load());
  expect(toolNames(gateway)).toContain('shop_one');
});
