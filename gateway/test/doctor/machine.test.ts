import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { checkConsole } from '../../src/doctor/console.ts';
import type { Finding } from '../../src/doctor/index.ts';
import { checkTemporaryFolder } from '../../src/doctor/machine.ts';
import { temporaryHome } from '../cli/command-run.ts';

const crib = temporaryHome();
const bin = fileURLToPath(new URL('../../bin/toolcrib.mjs', import.meta.url));

async function doctor(configuration: string, env: Record<string, string> = {}) {
  await writeFile(crib.path('case.yaml'), configuration);
  const { out } = await crib.run(['doctor', '--json', '--config', 'case.yaml'], { env });
  return (check: string) =>
    (JSON.parse(out) as { findings: Finding[] }).findings.filter((one) => one.check === check);
}

/** The words of a Node.js that is too old; undefined: this one is not. */
async function refusal(node: string, ...options: string[]) {
  const run = promisify(execFile)(node, [...options, bin, 'tools'], { cwd: crib.home });
  return run.then(
    () => undefined,
    (error: { code: number; stderr: string }) => error,
  );
}

const OLDER = `data:text/javascript,${encodeURIComponent(
  `Object.defineProperty(process.versions, 'node', { value: '22.4.0' })`,
)}`;
const OWN_NODE = `node-linux-${process.arch}/bin/node`;

describe('an old Node.js', () => {
  it('is told what to do instead, before anything else is loaded', async () => {
    const error = await refusal(process.execPath, '--import', OLDER);
    expect(error).toMatchObject({
      code: 78,
      stderr: expect.stringMatching(/needs Node\.js 24 or newer; this is 22\.4\.0\. .*npx toolcrib/),
    });
  });

  const beside = fileURLToPath(new URL(`../../../node_modules/${OWN_NODE}`, import.meta.url));
  it.runIf(existsSync(beside))(
    'names the one of its checkout, which another folder does not find',
    async () => {
      const error = await refusal(process.execPath, '--import', OLDER);
      expect(error?.stderr).toContain(`from everywhere "${beside} ${bin}".`);
    },
  );

  it.runIf(systemNode() < 24)('is the one of this system', async () => {
    expect(await refusal('/usr/bin/node')).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('needs Node.js 24 or newer'),
    });
  });
});

describe('programs that are not there', () => {
  it('are bubblewrap for a server that is to be isolated, and its command', async () => {
    const of = await doctor(
      'server: { port: 0 }\nsources: { notes: { mcp: { command: notes-server, isolation: { mode: bubblewrap } } } }',
      { PATH: crib.path('nothing') },
    );
    expect(of('upstream notes')).toMatchObject([
      { status: 'error', message: expect.stringContaining('notes-server is not found') },
      { status: 'error', message: expect.stringContaining('bwrap is not found') },
    ]);
  });

  it('are python3 for the tools of a skill', async () => {
    const skill = crib.path('skills', 'counting');
    await mkdir(skill, { recursive: true });
    await writeFile(crib.path('skills', 'counting', 'count.py'), 'print("{}")\n');
    await writeFile(
      crib.path('skills', 'counting', 'SKILL.md'),
      '---\nname: counting\ndescription: Counts the words of a text that is given.\n---\nCount.\n',
    );
    await writeFile(
      crib.path('skills', 'counting', 'tool-manifest.yaml'),
      [
        'version: 1',
        'tools:',
        '  - name: count_words',
        '    description: Counts the words of a text.',
        '    access: read',
        '    input_schema: { type: object, properties: { text: { type: string } } }',
        '    executor: { type: script, entry: count.py }',
      ].join('\n'),
    );
    await mkdir(crib.path('programs'), { recursive: true });
    const of = await doctor('server: { port: 0 }\nsources: { own: { skills: [ skills ] } }', {
      PATH: crib.path('programs'),
    });
    const told = of('skills').map(({ status, message }) => `${status} ${message}`);
    expect(told).toContainEqual(
      expect.stringMatching(/^error The tool \S*count_words needs python3, which is not found/),
    );
    await writeFile(crib.path('programs', 'python3'), '#!/bin/sh\n');
    await chmod(crib.path('programs', 'python3'), 0o755);
    const after = await doctor('server: { port: 0 }\nsources: { own: { skills: [ skills ] } }', {
      PATH: crib.path('programs'),
    });
    expect(after('skills').map(({ message }) => message)).not.toContainEqual(
      expect.stringContaining('not found.'),
    );
  });
});

it('a state directory that cannot be written is an error', async () => {
  await writeFile(crib.path('file'), '');
  const of = await doctor(
    'stateDirectory: file/state\nserver: { port: 0 }\nsources: { gateway: { self: {} } }',
  );
  expect(of('state')).toMatchObject([{ status: 'error', next: expect.stringContaining('--state-dir') }]);
});

it('a console that is not built is a warning that says how to build it', async () => {
  expect(await checkConsole(crib.path('no-console'))).toMatchObject({
    status: 'warning',
    next: expect.stringContaining('npm run build -w console'),
  });
  await mkdir(crib.path('console'));
  await writeFile(crib.path('console', 'index.html'), '<!doctype html>');
  expect(await checkConsole(crib.path('console'))).toEqual({
    check: 'console',
    status: 'ok',
    message: 'is built',
  });
});

it('calls that cannot be exported are an error, which names the packages', async () => {
  const of = await doctor(`store: none
telemetry: { otlp: 'http://127.0.0.1:4318' }
server: { port: 0 }
sources: { gateway: { self: {} } }`);
  expect(of('telemetry')).toMatchObject([
    { status: 'error', message: expect.stringContaining('npm install @opentelemetry/sdk-trace') },
  ]);
});

function systemNode(): number {
  try {
    const version = execFileSync('/usr/bin/node', ['-p', 'process.versions.node'], { encoding: 'utf8' });
    return Number(version.split('.')[0]);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

it('a temporary folder is told of where it cannot be written only', async () => {
  expect(await checkTemporaryFolder(crib.home)).toEqual([]);
  const [finding] = await checkTemporaryFolder(crib.path('not-there'));
  expect(finding).toMatchObject({
    status: 'warning',
    message: expect.stringMatching(/not-there cannot be written: ENOENT.*Scripts of skills/),
    next: expect.stringContaining('TMPDIR'),
  });
});
