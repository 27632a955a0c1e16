import { spawn } from 'node:child_process';
import { relative } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Diagnostic } from '../../operations/index.ts';
import { ownPackages } from '../../sources/package/native-import.ts';

/** Time for all tests of a package, milliseconds. */
const TESTS_MS = 120_000;
const SHOWN_LINES = 30;

/** Runs test files with Node's own runner in the folder they are in; each run is a process of its own. */
export async function runTests(folder: string, files: readonly string[]): Promise<Diagnostic[]> {
  if (files.length === 0) return [];
  const { NODE_TEST_CONTEXT: _nested, NODE_OPTIONS: _options, ...env } = process.env;
  const names = files.map((file) => relative(folder, file));
  const words = ['--import', ownPackages(), '--test', '--test-reporter', 'spec', ...names];
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TESTS_MS,
  });
  const ended = new Promise<number | string>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code, signal) => resolve(code ?? `stopped by ${signal}`));
  });
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === 0) return [];
  const said = `${out}\n${err}`.trim().split('\n').slice(-SHOWN_LINES).join('\n');
  const message = `The tests fail (${typeof code === 'number' ? `exit code ${code}` : code}):\n${said}`;
  return [{ code: 'tests-failed', severity: 'error', message, location: `${files[0]}:1` }];
}
