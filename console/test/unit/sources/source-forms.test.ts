import { describe, expect, it, test } from 'vitest';
import { words } from '../../../src/pages/sources/command-words.ts';
import { kindOfFile } from '../../../src/pages/sources/dropped-file.ts';
import { entryFrom } from '../../../src/pages/sources/entry-text.ts';
import { SOURCE_FORMS, suggestedName, type Values } from '../../../src/pages/sources/source-forms.ts';

const formOf = (kind: string) => SOURCE_FORMS.find((form) => form.kind === kind)!;

test.each([
  ['npx -y @acme/server --port=1', ['npx', '-y', '@acme/server', '--port=1']],
  ['"C:\\My Tools\\x.exe" \'a b\' c""d', ['C:\\My Tools\\x.exe', 'a b', 'cd']],
  ['  ', []],
])('the words of %j', (line, expected) => {
  expect(words(line)).toEqual(expected);
});

describe('the entry that a form makes', () => {
  it.each<[string, Values, object]>([
    ['openapi', { document: './a.json' }, { openapi: './a.json' }],
    [
      'openapi',
      {
        document: './a.json',
        baseUrl: 'https://a.example',
        credential: 'basic',
        username: 'U',
        password: 'P',
      },
      {
        openapi: './a.json',
        baseUrl: 'https://a.example',
        credentials: { basic: { username: { env: 'U' }, password: { env: 'P' } } },
      },
    ],
    [
      'mcp-command',
      { command: 'npx -y server', env: 'A, B' },
      { mcp: { command: 'npx', args: ['-y', 'server'], env: { A: { env: 'A' }, B: { env: 'B' } } } },
    ],
    [
      'mcp-url',
      { url: 'https://m.example/mcp', authorization: 'AUTH' },
      { mcp: { url: 'https://m.example/mcp', headers: { Authorization: { env: 'AUTH' } } } },
    ],
    [
      'manifest',
      { provider: 'lever', credential: 'bearer', bearer: 'L' },
      { manifest: 'lever', credentials: { bearer: { env: 'L' } } },
    ],
    [
      'n8n',
      { url: 'https://n.example', apiKey: 'N' },
      { n8n: { url: 'https://n.example', apiKey: { env: 'N' } } },
    ],
    ['web', { search: 'nothing' }, { web: { scrape: 'direct' } }],
  ])('of kind %s from %j', (kind, values, entry) => {
    expect(formOf(kind).entry(values)).toEqual(entry);
  });

  it.each<[string, Values, string]>([
    ['openapi', { document: 'https://api.acme.com/v1/openapi.json' }, 'acme'],
    ['openapi', { document: './specs/pets.yaml' }, 'pets'],
    ['mcp-command', { command: 'npx -y @scope/server-git' }, 'server-git'],
    ['manifest', { provider: 'lever' }, 'lever'],
    ['web', {}, 'web'],
  ])('of kind %s from %j is called %s', (kind, values, name) => {
    expect(suggestedName(formOf(kind), values)).toBe(name);
  });
});

test.each([
  ['openapi.JSON', 'document'],
  ['a.yml', 'document'],
  ['skill.zip', 'skill'],
  ['SKILL.md', 'skill'],
])('%s is for a %s', (name, kind) => {
  expect(kindOfFile({ name })).toBe(kind);
});
test('what is for nothing is refused', () => {
  expect(() => kindOfFile({ name: 'photo.png' })).toThrow(/neither/);
});

test.each([
  ['{"openapi":"./a.json"}', { openapi: './a.json' }],
  ['[1]', 'The entry is an object.'],
  ['{', expect.stringContaining('no JSON')],
])('an entry from %j', (text, expected) => {
  expect(entryFrom(text)).toEqual(expected);
});
