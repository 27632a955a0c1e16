import { describe, expect, it } from 'vitest';
import type { BodyBinding, Json, PartEncoding } from '../../../src/operations/index.ts';
import { bodyOf, refusal } from './operation-under-test.ts';

const TYPE = 'multipart/form-data';

/** Parts as text between boundaries, in order. */
function parts(
  args: Record<string, Json>,
  encoding: Record<string, PartEncoding> = {},
  contentType = TYPE,
): string[] {
  const bindings = Object.keys(args).map(
    (name): BodyBinding => ({ in: 'body', name, arg: name, contentType }),
  );
  const { type, body } = bodyOf({ bindings, body: { contentType, required: true, encoding } }, args);
  const boundary = /boundary=(\S+)$/.exec(type!)![1]!;
  const [first, ...rest] = body!.split(`--${boundary}`);
  expect(first).toBe('');
  expect(rest.pop()).toBe('--\r\n');
  return rest.map((part) => part.replace(/^\r\n|\r\n$/g, ''));
}

const field = (name: string, text: string, type?: string) =>
  `Content-Disposition: form-data; name="${name}"\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${text}`;
const file = (name: string, filename: string, type: string, text: string) =>
  `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n${text}`;

describe('multipart/form-data', () => {
  it.each<[string, Record<string, Json>, Record<string, PartEncoding>, string[]]>([
    ['a field', { a: 'x' }, {}, [field('a', 'x')]],
    [
      'numbers and booleans',
      { a: 1e21, b: true },
      {},
      [field('a', '1000000000000000000000'), field('b', 'true')],
    ],
    [
      'text in the charset of its type',
      { a: 'caf\u00e9' },
      { a: { contentType: 'text/plain; charset=iso-8859-1' } },
      [field('a', 'caf\u00e9', 'text/plain; charset=iso-8859-1')],
    ],
    ['null is left out', { a: null, b: 'x' }, {}, [field('b', 'x')]],
    ['null in a list is, too', { a: ['x', null] }, {}, [field('a', 'x')]],
    ['a list repeats its name', { a: ['x', 'y'] }, {}, [field('a', 'x'), field('a', 'y')]],
    ['separated by pipes', { a: ['x', 'y'] }, { a: { style: 'pipeDelimited' } }, [field('a', 'x|y')]],
    [
      'separated by tabs',
      { a: ['x', 'y'] },
      { a: { style: 'form', explode: false, delimiter: '\t' } },
      [field('a', 'x\ty')],
    ],
    [
      'separated by spaces',
      { a: ['x', 'y'] },
      { a: { style: 'spaceDelimited', explode: false, contentType: 'application/json' } },
      [field('a', 'x y')],
    ],
    [
      'an object with a style, which ignores its type',
      { a: { R: 1, G: 2 } },
      { a: { style: 'form', contentType: 'application/json' } },
      [field('R', '1'), field('G', '2')],
    ],
    [
      'a text, which may be a file',
      { a: ['data:image/png;name=a.png;base64,aGk=', 'aGk=', 'data: none', ''] },
      { a: { file: 'data-url' } },
      [file('a', 'a.png', 'image/png', 'hi'), field('a', 'aGk='), field('a', 'data: none'), field('a', '')],
    ],
    ['an object in one part', { a: { R: 1 } }, { a: { explode: false } }, [field('a', 'R,1')]],
    ['a deep object', { a: { b: { c: 1 } } }, { a: { style: 'deepObject' } }, [field('a[b][c]', '1')]],
    [
      'lists within a list',
      { a: [[1, 2], ['x']] },
      { a: { style: 'pipeDelimited', explode: false, nested: [','] } },
      [field('a', '1,2|x')],
    ],
    ['a list in one part', { a: ['x', 'y'] }, { a: { style: 'form', explode: false } }, [field('a', 'x,y')]],
    [
      'a list as JSON',
      { a: ['x'] },
      { a: { contentType: 'application/json' } },
      [field('a', '["x"]', 'application/json')],
    ],
    ['an object is a JSON part', { a: { b: 1 } }, {}, [field('a', '{"b":1}', 'application/json')]],
    ['an object as text', { a: { b: 1 } }, { a: { contentType: 'text/plain' } }, [field('a', '{"b":1}')]],
    [
      'objects in a list',
      { a: [{ b: 1 }, { b: 2 }] },
      {},
      [field('a', '{"b":1}', 'application/json'), field('a', '{"b":2}', 'application/json')],
    ],
    [
      'a type of its own',
      { a: '<x/>' },
      { a: { contentType: 'application/xml' } },
      [field('a', '<x/>', 'application/xml')],
    ],
    ['a file', { f: 'aGk=' }, { f: { file: true } }, [file('f', 'f', 'application/octet-stream', 'hi')]],
    [
      'a file by its type',
      { f: 'aGk=' },
      { f: { contentType: 'image/png, image/jpeg' } },
      [file('f', 'f', 'image/png', 'hi')],
    ],
    [
      'a file with name and type',
      { f: { data: 'aGk=', filename: 'a.txt', contentType: 'text/plain' } },
      { f: { file: true } },
      [file('f', 'a.txt', 'text/plain', 'hi')],
    ],
    [
      'a file named by a data URL',
      { f: 'data:text/csv;charset=utf-8;name=a%2Cb.csv;base64,aGk=' },
      { f: { file: true, contentType: 'application/json' } },
      [file('f', 'a,b.csv', 'text/csv;charset=utf-8', 'hi')],
    ],
    [
      'a name alone, quoted, not encoded, or nothing at all',
      {
        f: [
          'data:;name=a b.txt;base64,aGk=',
          'DATA:;filename="ä.txt";base64,aGk=',
          'data:;name=100%.txt;base64,aGk=',
          'data:;name=;base64,aGk=',
        ],
      },
      { f: { file: true } },
      [
        file('f', 'a b.txt', 'text/plain', 'hi'),
        file('f', '\u00c3\u00a4.txt', 'text/plain', 'hi'),
        file('f', '100%.txt', 'text/plain', 'hi'),
        file('f', 'f', 'application/octet-stream', 'hi'),
      ],
    ],
    [
      'a type by the extension of its name, where neither its caller nor the document says one',
      {
        f: [
          { data: 'aGk=', filename: 'Cat.PNG' },
          'data:image/webp;name=cat.png;base64,aGk=',
          'data:;name=cat.constructor;base64,aGk=',
          'data:;name=.png;base64,aGk=',
        ],
        g: 'data:;name=cat.png;base64,aGk=',
      },
      { f: { file: true }, g: { file: true, contentType: 'application/x-cat' } },
      [
        file('f', 'Cat.PNG', 'image/png', 'hi'),
        file('f', 'cat.png', 'image/webp', 'hi'),
        file('f', 'cat.constructor', 'application/octet-stream', 'hi'),
        file('f', '.png', 'application/octet-stream', 'hi'),
        file('g', 'cat.png', 'application/x-cat', 'hi'),
      ],
    ],
    [
      'a name that would add a header',
      { f: 'data:;name=a%22%0D%0AX:%20y;base64,aGk=' },
      { f: { file: true } },
      [file('f', 'a%22%0D%0AX: y', 'application/octet-stream', 'hi')],
    ],
    [
      'files',
      { f: ['aGk=', 'aG8='] },
      { f: { file: true } },
      [file('f', 'f', 'application/octet-stream', 'hi'), file('f', 'f', 'application/octet-stream', 'ho')],
    ],
    ['quotes and line breaks in names', { 'a"b': 'x' }, {}, [field('a%22b', 'x')]],
    [
      'quotes and line breaks in file names',
      { f: { data: 'aGk=', filename: 'a"\r\nX: y' } },
      { f: { file: true } },
      [file('f', 'a%22%0D%0AX: y', 'application/octet-stream', 'hi')],
    ],
    [
      'part headers',
      { a: 'x' },
      { a: { headers: { 'X-Part': '1', 'Content-Type': 'ignored/x' } } },
      ['Content-Disposition: form-data; name="a"\r\nX-Part: 1\r\n\r\nx'],
    ],
  ])('%s', (_, args, encoding, expected) => {
    expect(parts(args, encoding)).toEqual(expected);
  });

  it('has the same boundary for the same parts, and one that they do not hold', () => {
    const body = (text: string) =>
      bodyOf(
        {
          bindings: [{ in: 'body', name: 'a', arg: 'a', contentType: TYPE }],
          body: { contentType: TYPE, required: true },
        },
        { a: text },
      );
    const first = body('x');
    expect(body('x')).toEqual(first);
    expect(body('y').type).not.toBe(first.type);
    const boundary = /boundary=(\S+)$/.exec(first.type!)![1]!;
    expect(parts({ a: `--${boundary}--\r\n` })).toEqual([field('a', `--${boundary}--\r\n`)]);
  });

  it.each<[Record<string, Json>, Record<string, PartEncoding>, string]>([
    [{ f: 'no base64!' }, { f: { file: true } }, '/f'],
    [{ f: ['aGk=', '!'] }, { f: { file: true } }, '/f/1'],
    [{ f: { data: 'aGk=', contentType: 'x\r\nY: z' } }, { f: { file: true } }, '/f/contentType'],
    [{ f: { data: 'aGk=', contentType: 'x/y\r\n; z' } }, { f: { file: true } }, '/f/contentType'],
    [{ f: { data: 'aGk=', filename: 'a\u0000b' } }, { f: { file: true } }, '/f/filename'],
    [{ f: 'data:;name=a,b.txt;base64,aGk=' }, { f: { file: true } }, '/f'],
    [{ f: 'data:text/plain,hi' }, { f: { file: true } }, '/f'],
    [{ a: { b: 1 } }, { a: { contentType: 'application/xml' } }, '/a'],
  ])('%j is refused', (args, encoding, pointer) => {
    expect(() => parts(args, encoding)).toThrow(refusal('arguments_invalid', pointer));
  });

  it('refuses part headers of the document that would break the part', () => {
    const breaking: Record<string, string>[] = [
      { X: 'a\r\nb' },
      { 'X: 1\r\nContent-Type': 'text/html' },
      { 'X Y': 'a' },
      { '': 'a' },
    ];
    for (const headers of breaking) {
      expect(() => parts({ a: 'x' }, { a: { headers } })).toThrow(refusal('source_invalid'));
    }
  });
});

it('writes parts as it is said of them, and others as it is said of the rest', () => {
  const binding: BodyBinding = { in: 'body', name: '', arg: 'body', contentType: TYPE };
  const body = { contentType: TYPE, required: true, encoding: { text: {} }, otherParts: { file: true } };
  const sent = bodyOf({ bindings: [binding], body }, { body: { text: 'aGk=', any: 'aGk=' } });
  expect(sent.body).toContain(field('text', 'aGk='));
  expect(sent.body).toContain(file('any', 'any', 'application/octet-stream', 'hi'));
});

it('other multiparts carry the parts without names', () => {
  expect(parts({ meta: { a: 1 }, text: 'x' }, {}, 'multipart/related')).toEqual([
    'Content-Type: application/json\r\n\r\n{"a":1}',
    '\r\nx',
  ]);
});

it('the first parts of a list are each written in their own way, the rest alike', () => {
  const contentType = 'multipart/mixed';
  const binding: BodyBinding = { in: 'body', name: '', arg: 'body', contentType };
  const firstParts = [{ contentType: 'application/json' }, { file: true, contentType: 'image/png' }];
  const otherParts = { contentType: 'text/markdown' };
  const body = { contentType, required: true, firstParts, otherParts };
  const sent = (list: Json[]) => {
    const { type, body: text } = bodyOf({ bindings: [binding], body }, { body: list });
    return text!.split(`--${/boundary=(\S+)$/.exec(type!)![1]}`).slice(1, -1);
  };
  const json = '\r\nContent-Type: application/json\r\n\r\n"a"\r\n';
  const markdown = (text: string) => `\r\nContent-Type: text/markdown\r\n\r\n${text}\r\n`;
  expect(sent(['a', 'aGk=', 'b', 'c'])).toEqual([
    json,
    '\r\nContent-Type: image/png\r\n\r\nhi\r\n',
    markdown('b'),
    markdown('c'),
  ]);
  // what is left out does not move the others
  expect(sent(['a', null, 'b'])).toEqual([json, markdown('b')]);
});

it('a list in a list of parts is one part, as JSON (OpenAPI 3.2 "Encoding By Name")', () => {
  const contentType = 'multipart/mixed';
  const binding: BodyBinding = { in: 'body', name: '', arg: 'body', contentType };
  const { body } = bodyOf(
    { bindings: [binding], body: { contentType, required: true } },
    { body: [[1, 2], 'x'] },
  );
  expect(body).toContain('\r\nContent-Type: application/json\r\n\r\n[1,2]\r\n');
});

describe('a part that holds parts (OpenAPI 3.2 "Nested Encoding")', () => {
  /** Of the one part whose type is `multipart/mixed`: what stands between its own boundaries. */
  function within(body: string): string[] {
    const [, head = '', boundary = ''] =
      /\r\n(.*)Content-Type: multipart\/mixed; boundary=(\S+)\r\n/s.exec(body) ?? [];
    expect(head).not.toContain('multipart/mixed');
    const [before, ...rest] = body.split(`--${boundary}`);
    expect(before).toMatch(/boundary=\S+\r\n\r\n$/);
    return rest.slice(0, -1);
  }
  const nested = {
    contentType: 'multipart/mixed',
    parts: {
      firstParts: [{}, { file: true, contentType: 'image/png' }],
      otherParts: { contentType: 'text/csv' },
    },
  };
  const list = [{ a: 1 }, 'aGk=', 'b,c'];
  const written = [
    '\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n',
    '\r\nContent-Type: image/png\r\n\r\nhi\r\n',
    '\r\nContent-Type: text/csv\r\n\r\nb,c\r\n',
  ];

  it('in a list', () => {
    const contentType = 'multipart/mixed';
    const binding: BodyBinding = { in: 'body', name: '', arg: 'body', contentType };
    const body = { contentType, required: true, firstParts: [{}, nested] };
    expect(within(bodyOf({ bindings: [binding], body }, { body: [[1], list] }).body!)).toEqual(written);
  });

  it('in a form, an item of its list each', () => {
    const binding: BodyBinding = { in: 'body', name: 'a', arg: 'a', contentType: TYPE };
    const body = { contentType: TYPE, required: true, encoding: { a: nested } };
    const { body: text } = bodyOf({ bindings: [binding], body }, { a: [list] });
    expect(text).toContain(
      'Content-Disposition: form-data; name="a"\r\nContent-Type: multipart/mixed; boundary=',
    );
    expect(within(text!)).toEqual(written);
  });
});
