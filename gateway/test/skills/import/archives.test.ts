import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { IMPORT_LIMITS } from '../../../src/skills/import/index.ts';
import type { PackageWriter } from '../../../src/skills/import/package-writer.ts';
import { unzip } from '../../../src/skills/import/unzip.ts';
import {
  gzip,
  pax,
  SKILL_MD,
  SKILL_PARTS,
  TAR_PARTS,
  tar,
  withEntry,
  withTarEntry,
  type ZipPart,
  zip,
} from './archives.ts';
import { contentOf, fetchBytes, refuses } from './importing.ts';

const SCRIPT = '#!/bin/sh\nwc -l\n';
const WHOLE = { 'line-counter/SKILL.md': SKILL_MD, 'line-counter/scripts/count.sh*': SCRIPT };

describe('archives that are taken', () => {
  test.each([
    ['.zip, stored', zip(SKILL_PARTS)],
    ['.zip, deflated', zip(SKILL_PARTS.map((part) => ({ ...part, deflate: true })))],
    ['.tar', tar(TAR_PARTS)],
    ['.tar.gz', gzip(tar(TAR_PARTS))],
    [
      '.tar with folders and ./',
      tar([{ name: './', type: '5' }, ...TAR_PARTS.map((part) => ({ ...part, name: `./${part.name}` }))]),
    ],
  ])('%s: files and run bits arrive', async (_kind, bytes) => {
    expect(await contentOf(await fetchBytes(bytes))).toEqual(WHOLE);
  });

  test('the kind is read from the bytes, not from the name', async () => {
    expect(await contentOf(await fetchBytes(zip(SKILL_PARTS), 'skill.tar.gz'))).toEqual(WHOLE);
  });

  test('all other bits of a mode are dropped', async () => {
    const parts = TAR_PARTS.map((part) => ({ ...part, mode: part.mode | 0o7022 }));
    expect(await contentOf(await fetchBytes(tar(parts)))).toEqual(WHOLE);
  });

  test('a skill without a folder around it takes the name that it gives itself', async () => {
    const parts = SKILL_PARTS.map((part) => ({ ...part, name: part.name.replace('line-counter/', '') }));
    expect(await contentOf(await fetchBytes(zip(parts)))).toEqual(WHOLE);
  });

  test('a SKILL.md alone is a skill', async () => {
    expect(await contentOf(await fetchBytes(Buffer.from(SKILL_MD), 'SKILL.md'))).toEqual({
      'line-counter/SKILL.md': SKILL_MD,
    });
  });

  test('every folder with a SKILL.md down to four folders, none within a skill', async () => {
    const skill = (folder: string) => ({ name: `${folder}/SKILL.md`, content: SKILL_MD });
    const bytes = zip([
      skill('repo/skills/a'),
      skill('repo/skills/a/templates/b'),
      skill('repo/.claude/skills/c'),
      skill('repo/1/2/3/4'),
      skill('repo/node_modules/d'),
    ]);
    const { folders } = await fetchBytes(bytes);
    expect(folders.map((folder) => folder.split('/package/')[1])).toEqual([
      'repo/.claude/skills/c',
      'repo/skills/a',
    ]);
  });

  test('version control and caches are left out', async () => {
    const extra = ['.git/config', '__pycache__/x.pyc', '.DS_Store'].map((name) => ({
      name: `line-counter/${name}`,
      content: 'x',
    }));
    expect(await contentOf(await fetchBytes(tar([...TAR_PARTS, ...extra])))).toEqual(WHOLE);
  });

  test('long names: pax and GNU', async () => {
    const long = `line-counter/${'deep/'.repeat(15)}${'ü'.repeat(60)}.txt`;
    for (const said of [
      { name: 'pax', type: 'x', content: pax('path', long) },
      { name: '././@LongLink', type: 'L', content: `${long}\0` },
    ]) {
      const content = await contentOf(
        await fetchBytes(withTarEntry(said, { name: 'short', content: 'here' })),
      );
      expect(content[long]).toBe('here');
    }
  });

  test('an archive within an archive stays a file', async () => {
    const inner = zip([{ name: '../../out', content: 'x' }]);
    const { folders } = await fetchBytes(
      withEntry({ name: 'line-counter/assets/inner.zip', content: inner }),
    );
    expect(folders).toHaveLength(1);
  });
});

describe('entries that are no plain files', () => {
  test.each([
    ['2', 'is a symbolic link'],
    ['1', 'is a hard link'],
    ['3', 'is a device'],
    ['4', 'is a device'],
    ['6', 'is a named pipe'],
    ['S', 'is no plain file'],
    ['K', 'is a link'],
  ])('type %s of a .tar', (type, why) =>
    refuses(
      withTarEntry({ name: 'line-counter/x', type, link: type === '1' || type === '2' ? 'SKILL.md' : '' }),
      why,
    ),
  );

  test.each([
    [0o120777, 'is a symbolic link'],
    [0o060644, 'is no plain file'],
    [0o010644, 'is no plain file'],
    [0o140644, 'is no plain file'],
    [0o040755, 'is a file by its name'],
  ])('mode %o of a .zip', (mode, why) =>
    refuses(withEntry({ name: 'line-counter/x', content: '../../..', mode }), why),
  );

  test('files with holes', () =>
    refuses(
      withTarEntry(
        { name: 'p', type: 'x', content: pax('GNU.sparse.major', '1') },
        { name: 'line-counter/x' },
      ),
      'stored with holes',
    ));
});

describe('a .zip that lies', () => {
  const more = 'line-counter/more.txt';
  test.each<[string, ZipPart, string]>([
    ['encrypted', { name: more, content: 'x', flags: 1 }, 'is encrypted'],
    ['strongly encrypted', { name: more, content: 'x', flags: 0x41 }, 'encryption'],
    ['packed in an unknown way', { name: more, content: 'x', method: 14 }, 'not understood'],
    ['another name', { name: more, content: 'x', localName: 'line-counter/evil.txt' }, 'another name'],
    ['another checksum', { name: more, content: 'x', localCrc: 1 }, 'another checksum'],
    [
      'a wrong checksum on both sides',
      { name: more, content: 'x', localCrc: 1, says: { crc: 1 } },
      'another checksum',
    ],
    [
      'a smaller size',
      { name: more, content: 'x'.repeat(99), deflate: true, says: { size: 9 } },
      'another size',
    ],
    [
      'a smaller size behind a descriptor',
      { name: more, content: 'x'.repeat(99), deflate: true, flags: 8, says: { size: 9 } },
      'larger than the directory',
    ],
    [
      'a larger size behind a descriptor',
      { name: more, content: 'x', deflate: true, flags: 8, says: { size: 999 } },
      'smaller than the directory',
    ],
    [
      'no deflate stream',
      { name: more, content: 'plainly no deflate', method: 8, flags: 8 },
      'cannot be unpacked',
    ],
    [
      'the bytes of another entry',
      { name: 'line-counter/SKILL.md2', content: SKILL_MD, says: { offset: 0 } },
      'shares bytes',
    ],
    [
      'two names',
      {
        name: more,
        content: 'x',
        extra: Buffer.concat([Buffer.from([0x75, 0x70, 6, 0, 1, 0, 0, 0, 0]), Buffer.from('y')]),
      },
      'has two names',
    ],
    ['more bytes than there are', { name: more, content: 'x', says: { packed: 5000, size: 5000 } }, ''],
    ['a folder with content', { name: 'line-counter/f/', content: 'x' }, 'folder with content'],
  ])('%s', (_what, part, why) => refuses(withEntry(part), why));

  test('no deflate stream, to a writer that reads late', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'toolcrib-unzip-'));
    try {
      const file = join(folder, 'late.zip');
      await writeFile(file, zip([{ name: more, content: 'plainly no deflate', method: 8, flags: 8 }]));
      const writer: PackageWriter = {
        folder: async () => undefined,
        async file(_name, _executable, content) {
          // by then the fault has long been found, and nobody has asked yet
          for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
          for await (const _chunk of content) void _chunk;
        },
      };
      await expect(unzip(file, writer, new AbortController().signal)).rejects.toMatchObject({
        code: 'archive_refused',
        message: expect.stringContaining('cannot be unpacked'),
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('about how many entries it has', async () => {
    const parts = [...SKILL_PARTS, { name: more, content: 'x' }];
    await refuses(zip(parts, { count: 2 }), 'another number of entries');
    await refuses(zip(parts, { count: 4 }), 'cannot be read as a .zip');
    await refuses(zip(parts, { count: 60_000 }), 'more than 10000 entries');
  });

  test('cut anywhere', async () => {
    const whole = zip(SKILL_PARTS);
    for (let length = 30; length < whole.length; length += 37)
      await refuses(whole.subarray(0, length), /zip|entr/);
  });
});

describe('a .tar that lies', () => {
  test('cut anywhere', async () => {
    const whole = tar(TAR_PARTS);
    for (let length = 300; length < whole.length - 1024; length += 301)
      await refuses(whole.subarray(0, length), 'ends too early');
    const packed = gzip(whole);
    for (let length = 20; length < packed.length; length += 23)
      await refuses(packed.subarray(0, length), 'tar');
  });

  test('about sizes and checksums', async () => {
    await refuses(withTarEntry({ name: 'line-counter/x', content: 'x', size: 5000 }), 'ends too early');
    await refuses(
      withTarEntry({ name: 'p', type: 'x', content: pax('size', '-1') }, { name: 'line-counter/x' }),
      'has a size that is none',
    );
    const damaged = withTarEntry({ name: 'line-counter/x', content: 'x' });
    damaged[512 * 4 + 3] = 0x41;
    await refuses(damaged, 'no entry of a .tar');
  });

  test('in its extended headers', async () => {
    for (const content of ['8 path=x\n', '999 path=x\n', 'path=x\n', '0 path=x\n', '11 path=xxx'])
      await refuses(withTarEntry({ name: 'p', type: 'x', content }, { name: 'x' }), 'malformed');
    await refuses(withTarEntry({ name: 'p', type: 'x', content: 'x'.repeat(70_000) }), 'too long');
  });

  test('an entry takes nothing from the header of the one before', async () => {
    const bytes = withTarEntry(
      { name: 'p', type: 'x', content: pax('path', 'line-counter/first') },
      { name: 'line-counter/ignored', content: '1' },
      { name: 'line-counter/second', content: '2' },
    );
    expect(await contentOf(await fetchBytes(bytes))).toMatchObject({
      'line-counter/first': '1',
      'line-counter/second': '2',
    });
  });
});

describe('bombs', () => {
  const zeros = Buffer.alloc(8 * 1024 * 1024);

  test('a .zip that unpacks to far more than its size', () =>
    refuses(withEntry({ name: 'line-counter/x', content: zeros, deflate: true }), 'times its size'));

  test('a .tar.gz as a file, and as padding that is no file', async () => {
    await refuses(gzip(withTarEntry({ name: 'line-counter/x', content: zeros })), 'more than');
    await refuses(gzip(Buffer.concat([tar([{ name: 'a/.git/x', content: zeros }])])), 'more than');
  });

  test('one file that is too large is refused by what the directory says, before it is unpacked', () =>
    refuses(
      withEntry({
        name: 'line-counter/x',
        content: 'x',
        deflate: true,
        flags: 8,
        says: { size: IMPORT_LIMITS.fileBytes + 1 },
      }),
      'is larger than',
    ));

  test('text that packs well is no bomb', async () => {
    const content = Array.from({ length: 40_000 }, (_, row) => `${row},${row * 7},open\n`).join('');
    const bytes = withEntry({ name: 'line-counter/table.csv', content, deflate: true });
    expect((await contentOf(await fetchBytes(bytes)))['line-counter/table.csv']).toBe(content);
  });

  test('entries beyond the limit, folders too', async () => {
    const parts = Array.from({ length: IMPORT_LIMITS.entries }, () => ({ name: 'a/', type: '5' }));
    await refuses(tar([...TAR_PARTS, ...parts]), 'more than 10000 entries');
  });
});

describe('what is no package', () => {
  test.each([
    ['nothing', Buffer.alloc(0), 'is no .zip'],
    ['noise', randomBytes(2000).fill(1, 0, 4), 'is no .zip'],
    ['an HTML page', Buffer.from('<!doctype html><p>Not found</p>'), 'is no .zip'],
    ['an empty .zip', zip([]), 'holds nothing'],
    ['an empty .tar', Buffer.concat([tar([{ name: 'a/', type: '5' }])]), 'holds no SKILL.md'],
    ['no SKILL.md', zip([{ name: 'README.md', content: 'x' }]), 'holds no SKILL.md'],
    ['gzip of something else', gzip(Buffer.from('x'.repeat(600))), 'no entry of a .tar'],
  ])('%s', (_what, bytes, why) => refuses(bytes, why));
});
