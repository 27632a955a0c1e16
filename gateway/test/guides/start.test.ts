import { writeFile } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { temporaryHome } from '../cli/command-run.ts';
import { exitOf, outputOf, spawnCommand } from '../cli/spawned-command.ts';
import { petsDocument } from '../cli/start/person.ts';
import { blocksOf, readPage } from './markdown.ts';
import { ownWords, wordsOf } from './shell-words.ts';

// processes of their own: how long they take is the machine's to say
vi.setConfig({ testTimeout: 120_000 });

const crib = temporaryHome();

it('docs/start.md: the command for scripts serves the document of the folder, and says so in JSON', async () => {
  const lines = blocksOf(await readPage('docs/start.md')).flatMap(({ text }) => text.split('\n'));
  const line = lines.find((one) => one.includes('--yes'))!;
  await writeFile(crib.path('pets.json'), petsDocument());
  const child = spawnCommand(ownWords(wordsOf(line))!, { cwd: crib.home });
  const ready = JSON.parse(await outputOf(child).line());
  expect(ready).toMatchObject({ type: 'listening', tools: 1, mcp: expect.stringMatching(/\/mcp$/) });
  expect(ready.try).toContain('call --spec pets.json listPets');
  child.kill('SIGTERM');
  expect(await exitOf(child)).toBe(0);
});

it('docs/start.md: without a command and without a terminal the quickstart is served', async () => {
  const child = spawnCommand(['--port', '0'], { cwd: crib.home });
  expect(await outputOf(child).line((line) => line.includes('call '))).toContain('searchPlaces name=Lisbon');
  child.kill('SIGTERM');
  expect(await exitOf(child)).toBe(0);
});
