import { describe, expect, test } from 'vitest';
import { pax, withEntry, withTarEntry } from './archives.ts';
import { fetchBytes, refuses } from './importing.ts';

/** Names that both kinds of archive refuse. */
const BAD_NAMES: ReadonlyArray<readonly [name: string, why: string]> = [
  ['/etc/cron.d/x', 'is an absolute path'],
  ['../outside', 'leads out of the package'],
  ['line-counter/../../outside', 'leads out of the package'],
  ['line-counter/./x', 'has an empty name or "."'],
  ['line-counter//x', 'has an empty name or "."'],
  ['line-counter\\x', 'has a backslash'],
  ['C:/x', 'names a drive'],
  ['C:x', 'names a drive'],
  ['line-counter/a:b', 'not every system can write'],
  ['line-counter/a\u0007b', 'not every system can write'],
  ['line-counter/a\u202egpj.sh', 'not every system can write'],
  ['line-counter/CON', 'device on Windows'],
  ['line-counter/aux.txt', 'device on Windows'],
  ['line-counter/com1.sh/x', 'device on Windows'],
  ['line-counter/x.', 'ends in a full stop'],
  ['line-counter/x ', 'ends in a full stop'],
  [`line-counter/${'a/'.repeat(25)}x`, 'folders deep'],
  ['line-counter/SKILL.md', 'is there twice'],
  ['line-counter/Skill.md', 'take for one'],
  ['Line-Counter/x', 'take for one'],
  ['line-counter/ſkill.md', 'take for one'],
  ['line-counter/scripts', 'is'],
  ['line-counter/SKILL.md/x', 'is a file and a folder'],
];

describe('names that are refused', () => {
  test.each(BAD_NAMES)('%j in a .zip', (name, why) => refuses(withEntry({ name, content: 'x' }), why));

  test.each(BAD_NAMES)('%j in a .tar', (name, why) =>
    refuses(
      withTarEntry({ name: 'pax', type: 'x', content: pax('path', name) }, { name: 'x', content: 'x' }),
      why,
    ),
  );

  test('a NUL in a name of a .zip, and after pax', async () => {
    await refuses(withEntry({ name: 'line-counter/a\0b' }), 'has a NUL');
    await refuses(
      withTarEntry({ name: 'p', type: 'x', content: pax('path', 'line-counter/a\0b') }, { name: 'x' }),
      'has a NUL',
    );
  });

  test('names that are no UTF-8', async () => {
    const name = Buffer.from([0x6c, 0xff, 0xfe]);
    await refuses(withEntry({ name }), 'is no UTF-8');
    await refuses(withTarEntry({ name }), 'is no UTF-8');
  });

  test('names that are too long', async () => {
    await refuses(withEntry({ name: `line-counter/${'n'.repeat(256)}` }), '255 bytes');
    await refuses(
      withEntry({ name: `line-counter/${'nnnnnnnnn/'.repeat(3)}${'n'.repeat(380)}` }),
      '400 characters',
    );
  });

  test('the error names the entry, without what a terminal would obey', async () => {
    await expect(fetchBytes(withEntry({ name: 'line-counter/\u001b[2Jx' }))).rejects.toMatchObject({
      message: expect.stringContaining('"line-counter/ [2Jx"'),
      details: { entry: 'line-counter/ [2Jx' },
    });
  });
});
