import { describe, expect, it } from 'vitest';
import * as yaml from 'yaml';
import { readLocatedYaml } from '../../src/sources/manifest/located-yaml.ts';
import { DiagnosticLog } from '../../src/sources/openapi/diagnostics.ts';
import { parseDocument } from '../../src/sources/openapi/read/parse-document.ts';
import { DOCUMENT_BOUNDS, NOTE_BOUNDS, parseWithin, yamlProblem } from '../../src/sources/yaml-bounds.ts';

/** Each made the reader of YAML nest its calls until the stack ended; two in a row could end the process. */
const TOO_DEEP = {
  'lists in brackets': `a: ${'['.repeat(100_000)}`,
  'mappings in braces': `a: ${'{b: '.repeat(50_000)}`,
  'lists in one line': '- '.repeat(20_000),
  'complex keys': '? '.repeat(20_000),
  'lists by lines': Array.from({ length: 1000 }, (_, row) => `${' '.repeat(row)}-`).join('\n'),
  'mappings by lines': Array.from({ length: 1000 }, (_, row) => `${' '.repeat(row)}a:`).join('\n'),
};
const deep = /nested deeper than/;

describe.each(Object.entries(TOO_DEEP))('%s', (_what, text) => {
  it('is told before it is read, twice in a row', async () => {
    for (let round = 0; round < 2; round++) {
      await expect(readLocatedYaml(text, 'x.yaml')).rejects.toThrow(deep);
      await expect(parseDocument(text, 'x.yaml', new DiagnosticLog())).rejects.toThrow(deep);
    }
    expect(yamlProblem(text, NOTE_BOUNDS, yaml)).toMatch(deep);
  });
});

const OPTIONS = { merge: true, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

it.each([
  ['', null],
  ['# only a remark\n', null],
  ['a: &x [1, { b: 2 }]\nc: *x\n', { a: [1, { b: 2 }], c: [1, { b: 2 }] }],
  ['first: 1\n---\nsecond: 2\n', { first: 1 }],
  [`a: ${'['.repeat(150)}${']'.repeat(150)}`, expect.anything()],
])('what is not deep is read as the library reads it: %j', (text, value) => {
  const [ours, theirs] = [new yaml.LineCounter(), new yaml.LineCounter()];
  const read = parseWithin(text, DOCUMENT_BOUNDS, { ...OPTIONS, lineCounter: ours }, yaml);
  const plain = yaml.parseDocument(text, { ...OPTIONS, lineCounter: theirs });
  if (typeof read === 'string') throw new Error(read);
  expect(read.toJS()).toEqual(value);
  expect(read.toJS()).toEqual(plain.toJS());
  expect(ours.lineStarts).toEqual(theirs.lineStarts);
});

it('faults are told with the same words at the same place', () => {
  const text = 'a: [1\nb: "x\n';
  const read = parseWithin(text, DOCUMENT_BOUNDS, { ...OPTIONS, lineCounter: new yaml.LineCounter() }, yaml);
  const plain = yaml.parseDocument(text, { ...OPTIONS, lineCounter: new yaml.LineCounter() });
  const faults = ({ errors }: yaml.Document) => errors.map(({ message, pos }) => [message, pos]);
  expect(faults(read as yaml.Document)).toEqual(faults(plain));
});

it('a key that stands twice is refused with its line, in a mapping within others too', async () => {
  const text = 'a:\n  - b: 1\n    c: 2\n    b: 3\n';
  await expect(readLocatedYaml(text, 'x.yaml')).rejects.toMatchObject({
    code: 'source_invalid',
    location: 'x.yaml:4',
  });
});

it('tags, anchors and values that are a fault each are counted before they are read', () => {
  const many = (sign: string) => yamlProblem(`a: ${sign.repeat(30_000)}`, NOTE_BOUNDS, yaml);
  expect([many('&a '), many('!a '), many('b\n')]).toEqual([
    'It has more than 6000 keys and items.',
    'It has more than 6000 keys and items.',
    'It has more than 20000 names, values and items.',
  ]);
});
