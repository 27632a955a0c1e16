import { rm, writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openGateway } from '../../src/cli/open-gateway.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import type { Logger } from '../../src/telemetry/logger.ts';
import { documentWith, liveFolder, toolNames } from '../live-folder.ts';

it.each([
  ['is gone', (file: string) => rm(file)],
  ['is empty', (file: string) => writeFile(file, '')],
  ['names no source', (file: string) => writeFile(file, 'name: acme\n')],
])('goes on as it is when its file %s, and follows what comes then', async (_how, lose) => {
  const { folder, file, put, configure } = await liveFolder();
  await put('a.json', documentWith('https://api.example', 'one', 'two'));
  const sources = { a: { openapi: './a.json', exclude: [{ operation: 'two' }] } };
  await configure({ stateDirectory: './state', sources });
  const told: string[] = [];
  const tell = (_facts: unknown, message: string) => void told.push(message);
  const { gateway } = await openGateway(
    [],
    {},
    { cwd: folder, env: {} } as Terminal,
    {},
    { logger: { error: tell, warn: tell } as unknown as Logger },
  );
  onTestFinished(() => gateway.close());
  await lose(file);
  await expect.poll(() => told).toEqual([expect.stringContaining('the gateway goes on as it is')]);
  expect(toolNames(gateway)).toEqual(['a_one']);
  await configure({ stateDirectory: './state', sources: { a: { openapi: './a.json' } } });
  await expect.poll(() => toolNames(gateway)).toEqual(['a_one', 'a_two']);
});
