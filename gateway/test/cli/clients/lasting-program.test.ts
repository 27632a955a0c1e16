import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lastingProgram } from '../../../src/cli/clients/lasting-program.ts';

const prefix = realpathSync(mkdtempSync(join(tmpdir(), 'toolcrib-homebrew-')));
afterAll(() => rmSync(prefix, { recursive: true, force: true }));

function installed(formula: string, version: string): string {
  const program = join(prefix, 'Cellar', formula, version, 'bin', 'node');
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, '');
  return program;
}

test('the Node.js of Homebrew is named by the link that its updates keep', () => {
  const old = installed('node@24', '24.1.0');
  const program = installed('node@24', '24.21.0');
  mkdirSync(join(prefix, 'opt'));
  symlinkSync('../Cellar/node@24/24.21.0', join(prefix, 'opt', 'node@24'));
  expect(lastingProgram(program)).toBe(join(prefix, 'opt', 'node@24', 'bin', 'node'));
  // the link leads to another version
  expect(lastingProgram(old)).toBe(old);
});

test('what fnm links to for one shell is named by where it is', () => {
  const version = join(prefix, 'node-versions', 'v24.21.0');
  const shells = join(prefix, 'fnm_multishells');
  mkdirSync(version, { recursive: true });
  mkdirSync(shells);
  writeFileSync(join(version, 'node.exe'), '');
  symlinkSync(version, join(shells, '4711_1790000000000'));
  expect(lastingProgram(join(shells, '4711_1790000000000', 'node.exe'))).toBe(join(version, 'node.exe'));
  expect(lastingProgram(join(shells, 'gone', 'node.exe'))).toBe(join(shells, 'gone', 'node.exe'));
});

test('any other is named by its path', () => {
  const unlinked = installed('node', '24.21.0');
  expect(lastingProgram(unlinked)).toBe(unlinked);
  expect(lastingProgram('/usr/local/bin/node')).toBe('/usr/local/bin/node');
  expect(lastingProgram('C:\\Program Files\\nodejs\\node.exe')).toBe('C:\\Program Files\\nodejs\\node.exe');
});
