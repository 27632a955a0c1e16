import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../../src/sandbox/index.ts';

function folderWith(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

test.each([
  ['npx', ['npx', 'npx.cmd'], 'npx.cmd'],
  ['node', ['node.cmd', 'node.exe'], 'node.exe'],
  ['npx.cmd', ['npx.cmd'], 'npx.cmd'],
  ['python3.12', ['python3.12.exe'], 'python3.12.exe'],
  ['./npx', ['npx', 'npx.cmd'], 'npx.cmd'],
])('on Windows %s is by its extension, of %j: %s', async (name, files, found) => {
  const folder = folderWith(...files);
  expect(await findProgram(name, folder, folder, 'win32')).toBe(join(folder, found));
});

test('a script for other systems is no program on Windows', async () => {
  const folder = folderWith('npx');
  expect(await findProgram('npx', folder, folder, 'win32')).toBeUndefined();
  expect(await findProgram('npx', folder, folder, 'linux')).toBe(join(folder, 'npx'));
});
