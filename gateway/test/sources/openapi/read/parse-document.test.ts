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
    ['broken YAML', 'a: [1\nb: }', 'spec:'],
    ['broken JSON', '{"a": ', 'spec'],
  ])('%s is source_invalid with its place', async (_what, text, place) => {
    await expect(parse(text)).rejects.toMatchObject({
      code: 'source_invalid',
      location: expect.stringContaining(place),
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
});
