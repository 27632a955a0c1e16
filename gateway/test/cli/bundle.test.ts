import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandFile } from '../command-file.ts';

const BUNDLE = join(dirname(commandFile()), '../bundle');
const FILES = readdirSync(BUNDLE).filter((file) => file.endsWith('.js'));

/** What Node itself has loaded once a file is, beside what every process has. */
function loadedBy(file: string): string[] {
  const script = `
    const before = new Set(process.moduleLoadList);
    import(${JSON.stringify(pathToFileURL(join(BUNDLE, file)))}).then(() =>
      console.log(JSON.stringify(process.moduleLoadList.filter((one) => !before.has(one)))));`;
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
}

/** What all that a command or a compile process always loads is joined into. */
function largest(name: RegExp): string {
  const sizes = FILES.filter((file) => name.test(file)).map(
    (file) => [file, readFileSync(join(BUNDLE, file)).length] as const,
  );
  return sizes.sort(([, a], [, b]) => b - a)[0]![0];
}

describe('a bundled file', () => {
  it('is ASCII alone, and keeps what its texts say', () => {
    const texts = FILES.map((file) => [file, readFileSync(join(BUNDLE, file), 'latin1')] as const);
    expect(texts.filter(([, text]) => /[^\x00-\x7f]/.test(text)).map(([file]) => file)).toEqual([]);
    expect(texts.some(([, text]) => text.includes('\\u2026'))).toBe(true);
  });

  it.each([/^main-start-/, /^compile-process-start-/])('%s loads of Node what it uses', (name) => {
    const loaded = loadedBy(largest(name));
    expect(loaded).toContain('NativeModule crypto');
    for (const unused of [
      'internal/crypto/webcrypto',
      'internal/util/parse_args/parse_args',
      'worker_threads',
    ])
      expect(loaded).not.toContain(`NativeModule ${unused}`);
  });
});
