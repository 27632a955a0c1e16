import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { exitOf, spawnCommand } from '../spawned-command.ts';

/** Pipes that say they are a terminal in front of a person. */
const A_TERMINAL = `data:text/javascript,${encodeURIComponent(
  'for (const stream of [process.stdin, process.stderr]) stream.isTTY = true; process.stdin.setRawMode = () => process.stdin;',
)}`;

const SHED = {
  openapi: '3.1.0',
  info: { title: 'Shed', version: '1' },
  servers: [{ url: 'http://127.0.0.1:9' }],
  paths: { '/tools': { delete: { operationId: 'emptyShed', responses: { 204: { description: 'Done' } } } } },
};

/** A command that asks by now. */
async function asking(
  argv: readonly string[],
  cwd: string,
  isQuestion = (told: string) => told.endsWith('s skip: '),
) {
  const child = spawnCommand(argv, { cwd, env: { NODE_OPTIONS: `--import=${A_TERMINAL}` } });
  let told = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      told += String(chunk);
      if (isQuestion(told)) resolve();
    });
    child.once('exit', () => reject(new Error(`The command ended without a question: ${told}`)));
  });
  return child;
}

function folderOfShed(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'toolcrib-asking-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, 'shed.json'), JSON.stringify(SHED));
  return cwd;
}

const CALL = ['call', 'emptyShed', '--spec', 'shed.json', '--allow-private', '127.0.0.1'];

it.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGHUP'] as const)(
  'a call that asks its person ends at %s, undecided',
  async (signal) => {
    const child = await asking(CALL, folderOfShed());
    child.kill(signal);
    await exitOf(child);
    expect(child.signalCode).toBe(signal);
  },
);

it.skipIf(process.platform === 'win32')(
  'Ctrl-C at the question of a call ends it as everywhere, undecided',
  async () => {
    const cwd = folderOfShed();
    const call = await asking(CALL, cwd);
    call.stdin.end('\u0003');
    await exitOf(call);
    expect([call.exitCode, call.signalCode]).toEqual([null, 'SIGINT']);
  },
);

it.skipIf(process.platform === 'win32')(
  'Ctrl-C while the arguments of a call are edited ends it as everywhere, undecided',
  async () => {
    const call = await asking(CALL, folderOfShed());
    const editing = new Promise<void>((resolve) => {
      let told = '';
      call.stderr.on('data', (chunk) => {
        told += String(chunk);
        if (/Arguments as JSON: .*\{\}/s.test(told)) resolve();
      });
    });
    call.stdin.write('e');
    await editing;
    call.stdin.end('\u0003');
    await exitOf(call);
    expect([call.exitCode, call.signalCode]).toEqual([null, 'SIGINT']);
  },
);

it('Ctrl-C at a question of `approvals watch` ends it', async () => {
  const cwd = folderOfShed();
  const call = await asking(CALL, cwd);
  call.stdin.end('s');
  expect(await exitOf(call)).toBe(75);
  const watch = await asking(['approvals', 'watch'], cwd);
  watch.stdin.end('\u0003');
  expect(await exitOf(watch)).toBe(0);
});

const SKILL = {
  'SKILL.md': '---\nname: greet\ndescription: Greets.\n---\n',
  'greet.sh': '#!/bin/sh\necho "Hello $1"\n',
};

it.skipIf(process.platform === 'win32').each([
  ['skills infer', ['skills', 'infer', 'greet', '--accept'], 'Make this the manifest'],
  ['connect', ['connect', 'cursor'], 'Write this entry into'],
  ['start', ['start', '--port', '0'], 'What shall be served?'],
])(
  'Ctrl-C at a question of `%s` ends it as everywhere: by the signal, and nothing is written',
  async (_name, argv, question) => {
    const cwd = folderOfShed();
    mkdirSync(join(cwd, 'greet'));
    for (const [name, text] of Object.entries(SKILL)) writeFileSync(join(cwd, 'greet', name), text);
    const command = await asking(argv, cwd, (told) => told.includes(question));
    let told = '';
    command.stderr.on('data', (chunk) => {
      told += String(chunk);
    });
    command.stdin.end('\u0003');
    await exitOf(command);
    expect([command.exitCode, command.signalCode]).toEqual([null, 'SIGINT']);
    expect(told).toContain('othing was written.');
    expect(readdirSync(join(cwd, 'greet')).sort()).toEqual(Object.keys(SKILL));
  },
);
