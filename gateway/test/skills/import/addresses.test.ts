import { describe, expect, test } from 'vitest';
import { understandAddress } from '../../../src/skills/import/address.ts';

describe('addresses', () => {
  test.each([
    ['https://example.org/a.zip', { kind: 'unknown', url: 'https://example.org/a.zip' }],
    ['https://example.org/a.git', { kind: 'git', url: 'https://example.org/a.git' }],
    ['https://example.org/a.git/#v1', { kind: 'git', url: 'https://example.org/a.git', ref: 'v1' }],
    [
      'https://example.org/a.git#main:skills/pdf/',
      { kind: 'git', url: 'https://example.org/a.git', ref: 'main', folder: 'skills/pdf' },
    ],
    ['https://example.org/a#:skills', { kind: 'unknown', url: 'https://example.org/a', folder: 'skills' }],
    ['https://github.com/o/r', { kind: 'git', url: 'https://github.com/o/r.git' }],
    ['https://github.com/o/r.git#b', { kind: 'git', url: 'https://github.com/o/r.git', ref: 'b' }],
    [
      'https://github.com/o/r/tree/main/skills/pdf',
      { kind: 'git', url: 'https://github.com/o/r.git', refAndFolder: 'main/skills/pdf' },
    ],
    [
      'https://github.com/o/r/blob/main/skills/a%20b/SKILL.md',
      { kind: 'git', url: 'https://github.com/o/r.git', refAndFolder: 'main/skills/a b' },
    ],
    [
      'https://github.com/o/r/archive/refs/heads/main.zip',
      { kind: 'unknown', url: 'https://github.com/o/r/archive/refs/heads/main.zip' },
    ],
    [
      'https://github.com/o/r/blob/main/README.md',
      { kind: 'unknown', url: 'https://github.com/o/r/blob/main/README.md' },
    ],
  ])('%s', (text, expected) => expect(understandAddress(text)).toEqual(expected));

  test.each([
    'git@github.com:o/r.git',
    'ssh://git@host/r.git',
    'git://host/r',
    'file:///etc',
    'ftp://host/a.zip',
    'a.zip',
    'javascript:x',
  ])('%s is refused', (text) =>
    expect(() => understandAddress(text)).toThrow(expect.objectContaining({ code: 'archive_refused' })),
  );
});
