import { describe, expect, it } from 'vitest';
import { readEntry, withEntry, withoutEntry } from '../../../src/cli/clients/edit-jsonc.ts';
import { parseJsonc } from '../../../src/cli/clients/jsonc.ts';

const entry = { command: 'node', args: ['x'] };
const add = (text: string) => withEntry(text, 'servers', 'crib', entry, 'mcp.json');
const remove = (text: string) => withoutEntry(text, 'servers', 'crib', 'mcp.json');

const files: ReadonlyArray<[string, string]> = [
  ['an object without the key', '{\n  "theme": "dark"\n}\n'],
  ['an empty object', '{}'],
  ['an empty object over two lines', '{\n}\n'],
  ['an empty container', '{\n  "servers": {}\n}\n'],
  ['a container with another entry', '{\n  "servers": {\n    "other": { "command": "a" }\n  }\n}\n'],
  ['a trailing comma', '{\n  "servers": {\n    "other": { "command": "a" },\n  },\n}\n'],
  ['tabs', '{\n\t"servers": {\n\t\t"other": {}\n\t}\n}'],
  [
    'comments everywhere',
    '// mine\n{\n  /* all */ "servers": { // here\n    // first\n    "other": {} // last\n  } // end\n}\n',
  ],
  ['a comment in an empty container', '{\n  "servers": {\n    // none yet\n  }\n}\n'],
  ['everything on one line', '{"servers":{"other":{"command":"a"}},"x":[1,2]}'],
  ['Windows line ends', '{\r\n  "servers": {\r\n    "other": {}\r\n  }\r\n}\r\n'],
  ['a byte order mark', '\uFEFF{\n  "servers": {\n    "other": {}\n  }\n}\n'],
  [
    'strings that look like comments',
    '{\n  "url": "http://x/*y*/", // }\n  "servers": {\n    "a\\"b": {}\n  }\n}\n',
  ],
];

describe('writing an entry into JSON with comments', () => {
  it.each(files)('%s: the entry is there and everything else stays', (_what, text) => {
    const after = add(text);
    expect(readEntry(after, 'servers', 'crib', 'mcp.json')).toEqual(entry);
    const { crib: _ours, ...others } = (parseJsonc(after, 'f').value as { servers: Record<string, unknown> })
      .servers;
    expect(others).toEqual((parseJsonc(text, 'f').value as { servers?: object }).servers ?? {});
    for (const comment of text.match(/\/\/ \w+|\/\* all \*\//g) ?? []) expect(after).toContain(comment);
    if (text.includes('\r\n')) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it.each(files)('%s: taking it out again leaves the same values and comments', (_what, text) => {
    const after = remove(add(text));
    const before = parseJsonc(text, 'f').value as Record<string, unknown>;
    expect(parseJsonc(after, 'f').value).toEqual({ ...before, servers: before['servers'] ?? {} });
    for (const comment of text.match(/\/\/ \w+|\/\* all \*\//g) ?? []) expect(after).toContain(comment);
  });

  it('is byte-identical after add and remove where the container had entries on lines of their own', () => {
    for (const [what, text] of files) {
      if (/another entry|tabs|Windows|byte order|look like/.test(what)) expect(remove(add(text))).toBe(text);
    }
  });

  it('follows the indentation of the file', () => {
    expect(add('{\n\t"servers": {\n\t\t"other": {}\n\t}\n}')).toBe(
      '{\n\t"servers": {\n\t\t"other": {},\n\t\t"crib": {\n\t\t\t"command": "node",\n\t\t\t"args": [\n\t\t\t\t"x"\n\t\t\t]\n\t\t}\n\t}\n}',
    );
  });

  it('replaces an entry of the same name in place', () => {
    const text = '{ "servers": { "crib": { "old": 1 }, "b": 2 } }';
    expect(parseJsonc(add(text), 'f').value).toEqual({ servers: { crib: entry, b: 2 } });
    expect(add(text)).toContain('"b": 2 }');
  });

  it('makes a document of an empty file', () => {
    expect(JSON.parse(add(''))).toEqual({ servers: { crib: entry } });
    expect(JSON.parse(add('\n'))).toEqual({ servers: { crib: entry } });
  });

  it.each([
    ['{ "servers": [] }', /"servers" holds something other than an object/],
    ['[]', /The file holds something other than an object/],
    ['{ "servers": { }', /a comma is missing/],
    ['{ a: 1 }', /a key is missing/],
    ['{ "a": 1 "b": 2 }', /a comma is missing/],
    ['{ "a": nope }', /nope is no JSON value/],
    // a key whose quotes were forgotten
    ['{ "a": sk-1234 }', /JSON: a value is no JSON\.$/],
    ['{} x', /something follows/],
    ['{ "a": "no end }', /a string does not end/],
  ])('refuses %s', (text, message) => {
    expect(() => add(text)).toThrow(message);
  });
});
