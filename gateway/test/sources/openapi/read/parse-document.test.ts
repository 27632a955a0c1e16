import { describe, expect, it } from 'vitest';
import { DiagnosticLog } from '../../../../src/sources/openapi/diagnostics.ts';
import { parseDocument } from '../../../../src/sources/openapi/read/parse-document.ts';

const parse = (text: string): Promise<unknown> => parseDocument(text, 'spec', new DiagnosticLog());

describe('parseDocument', () => {
  it.each<[string, string, unknown]>([
    ['JSON', '{"a":[1]}', { a: [1] }],
    ['JSON behind a byte order mark', '\uFEFF {"a":1}', { a: 1 }],
    ['YAML', 'a:\n  - 1\n', { a: [1] }],
    ['YAML behind a byte order mark', '\uFEFFa: 1', { a: 1 }],
    ['JSON with a trailing comma, which YAML allows', '{"a": 1,}', { a: 1 }],
    ['merge keys', 'base: &b {x: 1}\na:\n  <<: *b\n  y: 2', { base: { x: 1 }, a: { x: 1, y: 2 } }],
    ['numeric keys', '200: ok', { 200: 'ok' }],
    ['words that YAML 1.1 took for booleans', 'a: [yes, no, on]', { a: ['yes', 'no', 'on'] }],
  ])('%s', async (_what, text, expected) => {
    expect(await parse(text)).toEqual(expected);
  });

  it('duplicate keys are reported with their line; the last one counts', async () => {
    const log = new DiagnosticLog();
    expect(await parseDocument('a: 1\nb: 2\na: 3', 'spec', log)).toEqual({ a: 3, b: 2 });
    expect(log.list()).toMatchObject([{ code: 'key-duplicate', message: expect.stringContaining('spec:3') }]);
  });

  it.each([
    '<!DOCTYPE html><title>Sign in</title>',
    '\uFEFF\n<html lang="en">',
    '<!doctype HTML>',
    '\n<!-- HTML for static distribution bundle build -->\n<!-- > -- - -->\n<!DOCTYPE html>\n<html lang="en">',
  ])('%j is told as a page, with where a credential goes', async (text) => {
    await expect(parse(text)).rejects.toMatchObject({
      code: 'source_invalid',
      message: expect.stringContaining('page for people'),
      next: expect.stringContaining('headers'),
    });
  });

  it.each([
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]).toString()],
    ['ZIP', 'PK\u0003\u0004'],
  ])('a file that is compressed is told as one (%s)', async (name, text) => {
    await expect(parse(text)).rejects.toMatchObject({
      message: `The document spec is compressed (${name}), which is not read.`,
      next: expect.stringContaining('Unpack it'),
    });
  });

  it('repeats the beginning alone of what cannot be read', async () => {
    const { message } = (await parse(`a\n#\n${'c'.repeat(5000)}`).catch((error: Error) => error)) as Error;
    expect(message).toMatch(/^The document spec:3 is neither JSON nor YAML: .*c{50}/);
    expect(message.length).toBeLessThan(300);
  });

  it.each([
    ['broken YAML', 'a: [1\nb: }', 'spec:'],
    ['broken JSON', '{"a": ', 'spec'],
  ])('%s is source_invalid with its place', async (_what, text, place) => {
    await expect(parse(text)).rejects.toMatchObject({
      code: 'source_invalid',
      location: expect.stringContaining(place),
    });
  });

  it.each([
    ['a line indented too far', 'paths:\n  /a:\n    get:\n      operationId: a\n       summary: A\n', 4],
    ['a colon in a text', 'info:\n  title: Shop: the second\n', 2],
  ])('%s is told in words for whoever wrote it', async (_what, text, line) => {
    await expect(parse(text)).rejects.toMatchObject({
      message: `The document spec:${line} is neither JSON nor YAML: the line below this one is indented too far, or a value with ": " in it lacks its quotes.`,
    });
  });

  it('an alias bomb is refused', async () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0
        ? 'l0: &l0 [x, x, x, x, x, x, x, x, x, x]'
        : `l${level}: &l${level} [${Array(10)
            .fill(`*l${level - 1}`)
            .join(', ')}]`,
    );
    await expect(parse(levels.join('\n'))).rejects.toMatchObject({ code: 'source_invalid' });
  });

  describe('values whose lines are indented as little as their key', () => {
    it.each<[string, string, unknown]>([
      [
        'a text in double quotes',
        'a:\n  b: "one\n  two \\"three\\"\n  four"\n  c: 1\n',
        { a: { b: 'one two "three" four', c: 1 } },
      ],
      ['one in single quotes', "a:\n  b: 'it''s\n  two'\n  c: 1\n", { a: { b: "it's two", c: 1 } }],
      ['an empty line in it is a break', 'a:\n  b: "one\n\n  two"\n  c: 1\n', { a: { b: 'one\ntwo', c: 1 } }],
      ['lines that end in CRLF', 'a:\r\n  b: "one\r\n  two"\r\n  c: 1\r\n', { a: { b: 'one two', c: 1 } }],
      ['an item of a list', 'a:\n- - "one\n  two"\n  - 3\n', { a: [['one two', 3]] }],
      [
        'a list in brackets',
        'a:\n  b: [one, "]", # ]\n  it\'s]\n  c: 1\n',
        { a: { b: ['one', ']', "it's"], c: 1 } },
      ],
      [
        'a mapping in braces',
        'a:\n  b: {x: 1,\n  y: [2,\n3]\n}\n  c: 1\n',
        { a: { b: { x: 1, y: [2, 3] }, c: 1 } },
      ],
      [
        'several',
        'a:\n  b: "one\n  "\n  c: [1,\n  2]\n  d: \'x\n  y\'\n',
        { a: { b: 'one ', c: [1, 2], d: 'x y' } },
      ],
      [
        'what a block text holds stays',
        'a:\n  t: |\n    b: "one\n    two\n  b: "one\n  two"\n',
        { a: { t: 'b: "one\ntwo\n', b: 'one two' } },
      ],
    ])('%s', async (_what, text, expected) => {
      expect(await parse(text)).toEqual(expected);
    });

    it('are read with a warning that names the line', async () => {
      const log = new DiagnosticLog();
      await parseDocument('a:\n  x: "1\n  2"\n  b: [one,\n  two]\n', 'spec', log);
      expect(log.list()).toMatchObject([
        { code: 'indentation-short', severity: 'warning', message: expect.stringContaining('spec:2') },
        { code: 'indentation-short', severity: 'warning', message: expect.stringContaining('spec:4') },
      ]);
    });

    it.each([
      ['a quote that is never closed', 'a:\n  b: "one\n  c: 1\n'],
      ['one that the next document would close', 'a:\n  b: "one\n---\nc: "\n'],
      ['one that would need a million spaces', `a:\n${' '.repeat(1000)}b: "x\n${'y\n'.repeat(1000)}"\n`],
      ['a bracket that is never closed', 'a:\n  b: [one\n  c: 1\n'],
      ['another fault besides', 'a:\n  b: "one\n  two"\n  c: d: e\n'],
    ])('%s is told where it stands', async (_what, text) => {
      await expect(parse(text)).rejects.toMatchObject({
        code: 'source_invalid',
        location: expect.stringMatching(/^spec:[234]$/),
      });
    });
  });
});
