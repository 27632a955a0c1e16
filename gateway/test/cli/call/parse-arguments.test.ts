import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseArguments } from '../../../src/cli/call/parse-arguments.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';
import type { JsonObject } from '../../../src/operations/index.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: ['number', 'null'] },
    open: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    ids: { type: 'array', items: { $ref: '#/$defs/Id' } },
    rows: { type: 'array', items: { type: 'object' } },
    point: { $ref: '#/$defs/Point' },
    either: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    owner: { type: ['object', 'null'] },
    level: { enum: [1, 2] },
    labels: { anyOf: [{ type: 'object' }, { type: 'string', enum: [''] }] },
    until: { anyOf: [{ type: 'string', const: 'now' }, { type: 'integer' }] },
    picked: { anyOf: [{ type: 'array', items: { $ref: '#/$defs/Id' } }, { type: 'null' }] },
    cleared: { oneOf: [{ type: 'array', items: { type: 'string' } }, { enum: [''] }] },
    size: { enum: ['small', 'large'] },
    some: { oneOf: [{ type: 'array', items: { type: 'object' } }, { $ref: '#/$defs/Point' }] },
    any: {},
    bytes: { type: 'string', contentEncoding: 'base64' },
    file: { type: 'string', contentEncoding: 'base64' },
    picture: { type: 'string', contentEncoding: 'base64' },
    files: { type: 'array', items: { type: 'string', contentEncoding: 'base64' } },
  },
  $defs: { Id: { type: 'integer' }, Point: { type: 'object' } },
};

let cwd = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'toolcrib-args-'));
  await writeFile(join(cwd, 'a.txt'), 'héllo');
  await writeFile(join(cwd, 'a,b.txt'), Buffer.of(0, 255));
  await writeFile(join(cwd, 'bytes'), Buffer.of(0, 255));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const parsed = (words: string[], input = '') =>
  parseArguments(
    words,
    schema,
    { cwd, readInput: async () => input } as Terminal,
    new Map([
      ['file', 'name'],
      ['files', 'name'],
      ['picture', 'type'],
    ]),
  );

describe('the arguments of toolcrib call', () => {
  const cases: ReadonlyArray<[string[], JsonObject]> = [
    [[], {}],
    [['name=Ada'], { name: 'Ada' }],
    [['name=12'], { name: '12' }],
    [['some={"x":1}'], { some: { x: 1 } }],
    [['some=[{"x":1}]'], { some: [{ x: 1 }] }],
    [['some={"x":1}', 'some={"x":2}'], { some: [{ x: 1 }, { x: 2 }] }],
    [['some=x'], { some: ['x'] }],
    [['name='], { name: '' }],
    [['name=a=b@c:=d'], { name: 'a=b@c:=d' }],
    [['count=3'], { count: 3 }],
    [['count=-3'], { count: -3 }],
    [['count=three'], { count: 'three' }],
    [['ratio=1.5e3'], { ratio: 1500 }],
    [['ratio=null'], { ratio: null }],
    [['open=true'], { open: true }],
    [['open=yes'], { open: 'yes' }],
    [['tags=a, b'], { tags: ['a', 'b'] }],
    [['tags=a', 'tags=b'], { tags: ['a', 'b'] }],
    [['tags=["a,b"]'], { tags: ['a,b'] }],
    [['tags='], { tags: [] }],
    [['ids=1,2'], { ids: [1, 2] }],
    [['rows={"a":1}'], { rows: [{ a: 1 }] }],
    [['point={"x":1}'], { point: { x: 1 } }],
    [['point=x'], { point: 'x' }],
    [['either=4'], { either: 4 }],
    [['either=null'], { either: null }],
    [['owner=null'], { owner: null }],
    [['owner=x'], { owner: 'x' }],
    [['picked=null'], { picked: null }],
    [['level=2'], { level: 2 }],
    [['labels={"a":"b"}'], { labels: { a: 'b' } }],
    [['labels='], { labels: '' }],
    [['labels=x'], { labels: 'x' }],
    [['until=now'], { until: 'now' }],
    [['until=1700000000'], { until: 1700000000 }],
    [['picked=1,2'], { picked: [1, 2] }],
    [['cleared=a,b'], { cleared: ['a', 'b'] }],
    [['cleared='], { cleared: '' }],
    [['size=7'], { size: '7' }],
    [['any={"a":[1]}'], { any: { a: [1] } }],
    [['any=plain'], { any: 'plain' }],
    [['unknown=x'], { unknown: 'x' }],
    [['name:=null', 'count:=[1]'], { name: null, count: [1] }],
    [['name@a.txt'], { name: 'héllo' }],
    [['bytes@a.txt'], { bytes: Buffer.from('héllo').toString('base64') }],
    [['file@a,b.txt'], { file: 'data:;name=a%2Cb.txt;base64,AP8=' }],
    [['picture@a.txt'], { picture: 'data:text/plain;base64,aMOpbGxv' }],
    [['picture@bytes'], { picture: 'AP8=' }],
    [['files@a,b.txt'], { files: ['data:;name=a%2Cb.txt;base64,AP8='] }],
    [
      ['files@a,b.txt', 'files@a.txt'],
      { files: ['data:;name=a%2Cb.txt;base64,AP8=', 'data:;name=a.txt;base64,aMOpbGxv'] },
    ],
    [['{"name":"x","count":1}'], { name: 'x', count: 1 }],
  ];
  it.each(cases)('%j', async (words, expected) => {
    expect(await parsed(words)).toEqual(expected);
  });

  it('reads one object from standard input', async () => {
    expect(await parsed(['-'], '{"count":1}')).toEqual({ count: 1 });
  });

  it.each([
    [['name'], 'usage'],
    [['=x'], 'usage'],
    [['name=a', 'name=b'], 'usage'],
    [['name:={'], 'arguments_invalid'],
    [['{"a":'], 'arguments_invalid'],
    [['name@absent.txt'], 'source_unreadable'],
    [['name@bytes'], 'arguments_invalid'],
  ])('refuses %j as %s', async (words, code) => {
    await expect(parsed(words)).rejects.toMatchObject({ code });
  });

  it.each([
    [['count=9007199254740993']],
    [['ids=1,9007199254740993']],
    [['any=[9007199254740993]']],
    [['count:=9007199254740993']],
    [['{"count":9007199254740993}']],
  ])('refuses %j, whose digits would be lost', async (words) => {
    await expect(parsed(words)).rejects.toMatchObject({
      code: 'arguments_invalid',
      message: expect.stringContaining('9007199254740993 would lose digits'),
    });
  });

  it('takes as many digits as text has', async () => {
    const digits = '9007199254740993';
    expect(await parsed([`name=${digits}`])).toEqual({ name: digits });
    expect(await parsed([`{"name":"${digits}","count":9007199254740991}`])).toEqual({
      name: digits,
      count: 9007199254740991,
    });
  });

  it('refuses standard input that is no object', async () => {
    await expect(parsed(['-'], '[1]')).rejects.toMatchObject({ code: 'arguments_invalid' });
  });

  it('keeps a key that would reach the prototype as a plain key', async () => {
    const value = await parsed(['__proto__=x']);
    expect(Object.hasOwn(value, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});
