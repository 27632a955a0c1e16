import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { inRepository } from './repository.ts';

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
