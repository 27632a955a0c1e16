import { describe, expect, it } from 'vitest';
import { looksLikeToml, parseToml } from '../../../src/cli/clients/toml.ts';

const read = (text: string) => parseToml(text, '/home/ada/config.toml');

describe('TOML of clients', () => {
  it.each<[string, string, object]>([
    ['tables', '[a.b]\nc = "d"\n[a]\ne = true', { a: { b: { c: 'd' }, e: true } }],
    ['inline tables', 'a = { b = "c", "d e" = 1 }', { a: { b: 'c', 'd e': 1 } }],
    ['lists of text, over lines', 'a = [\n  \'b\', # one\n  "c",\n]', { a: ['b', 'c'] }],
    ['text of several lines', 'a = """\nb\\\n   c"""\nd = \'\'\'\ne\\n\'\'\'', { a: 'bc', d: 'e\\n' }],
    ['quoted names', '["a.b".\'c d\']\n"" = 1', { 'a.b': { 'c d': { '': 1 } } }],
    ['lists of tables', '[[a]]\nb = 1\n[[a]]\nb = 2', { a: [{ b: 1 }, { b: 2 }] }],
    [
      'times, as text',
      'a = 1979-05-27\nb = 07:32:00\nc = 1979-05-27T07:32:00Z',
      { a: '1979-05-27', b: '07:32:00.000', c: '1979-05-27T07:32:00.000Z' },
    ],
    [
      'numbers, also too large ones',
      'a = 1_000\nb = 99999999999999999999\nc = 0x10',
      { a: 1000, b: '99999999999999999999', c: 16 },
    ],
    ['a byte order mark and line ends of Windows', '\uFEFFa = 1\r\n[b]\r\nc = 2\r\n', { a: 1, b: { c: 2 } }],
    ['nothing', '# nothing\n', {}],
  ])('%s', async (_what, text, expected) => expect(await read(text)).toStrictEqual(expected));

  it('a name of JavaScript is a name', async () => {
    const value = await read('[mcp_servers.__proto__]\ncommand = "x"\n[constructor]\nprototype = 1');
    expect(Object.keys(value['mcp_servers'] as object)).toEqual(['__proto__']);
    expect(value).toHaveProperty('constructor', { prototype: 1 });
    expect(({} as { command?: unknown }).command).toBeUndefined();
  });

  it.each([
    ['a = "sk-1', /unfinished string/, '1:5'],
    ['[env]\nKEY = sk-1', /invalid value/, '2:7'],
    ['KEY = "sk-1" "sk-2"', /end-of-line/, '1:14'],
    ['[a]\n[a]\nKEY = "sk-1"', /already defined/, '2:2'],
    ['k = [\n"sk-1",\n"sk-2"\n', /expected comma/, '4:1'],
    ['since = 1979-13-45', /invalid date/, '1:9'],
    ['a = "sk-1\\q"', /escape/, '1:11'],
  ])('%j is told with its place, and without what stands there', async (text, what, place) => {
    const error = await read(text).catch((one) => one);
    expect(error).toMatchObject({ code: 'file_conflict', location: `/home/ada/config.toml:${place}` });
    expect(error.message).toMatch(what);
    expect(JSON.stringify([error.message, error.next, error.details])).not.toMatch(/sk-|1979/);
  });

  it.each([
    ['# a', true],
    ['\uFEFF\n model = 1', true],
    ['[mcp_servers.it]', true],
    ['[[a]]', true],
    ['a.b = 1', true],
    ['{ "a": 1 }', false],
    ['[{ "name": 1 }]', false],
    ['[]', false],
    ['// a\n{}', false],
    ['null', false],
    ['', false],
  ])('%j is TOML: %j', (text, expected) => expect(looksLikeToml(text)).toBe(expected));
});
