import { describe, expect, it } from 'vitest';
import { matterLines, withoutFrontMatter } from '../../../src/sources/skill/matter-lines.ts';

describe('the instructions of a SKILL.md', () => {
  it.each<[what: string, text: string]>([
    ['plain', '---\nname: a\n---\n\nCount twice.\n'],
    ['with a byte order mark and CRLF', '\uFEFF---\r\nname: a\r\n---\r\nCount twice.\r\n'],
    ['with spaces behind the lines', '---  \nname: a\n---\t\nCount twice.'],
    ['with dashes inside', '---\nname: a\nx: |\n  ---\n---- no end\n---\nCount twice.'],
    ['empty', '---\n---\nCount twice.'],
    ['empty, with CRLF', '---\r\n---\r\nCount twice.'],
  ])('begin where the front matter ends: %s', (_, text) => {
    expect(matterLines(text, 1000)).toBeDefined();
    expect(withoutFrontMatter(text)).toBe('Count twice.');
  });

  it('may be none', () => {
    expect(withoutFrontMatter('---\nname: a\n---')).toBe('');
  });

  it.each([['Count twice.'], ['---\nname: a\nCount twice.'], ['Count.\n---\nTwice.\n---']])(
    'are all of it where there is no front matter: %j',
    (text) => {
      expect(matterLines(text, 1000)).toBeUndefined();
      expect(withoutFrontMatter(text)).toBe(text);
    },
  );

  it('are found in linear time', () => {
    const text = `---\n${`\n---${' '.repeat(50)}x`.repeat(20_000)}`;
    expect(withoutFrontMatter(text)).toHaveLength(text.length);
  });
});
