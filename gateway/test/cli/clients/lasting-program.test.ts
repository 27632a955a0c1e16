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

test('any other is named by its path', () => {
  const unlinked = installed('node', '24.21.0');
  expect(lastingProgram(unlinked)).toBe(unlinked);
  expect(lastingProgram('/usr/local/bin/node')).toBe('/usr/local/bin/node');
  expect(lastingProgram('C:\\Program Files\\nodejs\\node.exe')).toBe('C:\\Program Files\\nodejs\\node.exe');
});
