import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScriptIsolation, ScriptRun } from '../../../src/executors/script/script-run.ts';
import { findProgram, isolationInForce } from '../../../src/sandbox/index.ts';

/** CI installs what these tests can use, and then nothing is left out. */
const REQUIRED = process.env['TOOLCRIB_REQUIRE_SANDBOX'] === '1';

const status = await isolationInForce();
export const canIsolate = REQUIRED || status.available;
if (!status.available) console.info(`Skipped, isolated scripts: ${status.reason}.`);

export async function has(program: string): Promise<boolean> {
  return REQUIRED || (await findProgram(program, process.env['PATH'], '/')) !== undefined;
}

/** The ways in which scripts can run here. */
export const isolations: readonly (readonly [string, ScriptIsolation])[] = [
  ['not isolated', 'none'],
  ...(canIsolate ? [['isolated', { network: false, read: [], write: [] }] as const] : []),
];

export interface Package {
  readonly folder: string;
  remove(): Promise<void>;
}

/** A package with these files. */
export async function packageOf(files: Readonly<Record<string, string>>): Promise<Package> {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-script-test-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** A run of `sh -c`, by which most can be said. */
export function shell(script: string, more: Partial<ScriptRun> = {}): ScriptRun {
  return {
    program: 'sh',
    args: ['-c', script],
    cwd: tmpdir() === '/tmp' ? '/usr' : tmpdir(),
    env: {},
    timeoutMs: 10_000,
    maxOutputBytes: 1_000_000,
    signal: new AbortController().signal,
    isolation: 'none',
    ...more,
  };
}
