import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '../../../../gateway/src/operations/index.ts';
import { changeForm } from '../../../src/pages/sources/change-form.ts';
import { lineOf, words } from '../../../src/pages/sources/command-words.ts';

test.each([
  [['npx', '-y', '@acme/server', '--port=1']],
  [['C:\\My Tools\\x.exe', 'a b', '', "it's", 'say "x"']],
])('the line of %j has these words', (given) => {
  expect(words(lineOf(given)!)).toEqual(given);
});

test('no line has a word with both kinds of quotes', () => {
  expect(lineOf([`"'`])).toBeUndefined();
});

const MORE = { prefix: 'zoo', include: [{ tag: 'pets' }], limits: { timeout: '5s' } };

describe('an entry that its form can say', () => {
  it.each<[JsonObject]>([
    [{ openapi: './a.json' }],
    [{ openapi: './a.json', baseUrl: 'https://a.example', credentials: { bearer: { env: 'T' } } }],
    [{ openapi: './a.json', credentials: { apiKey: { env: 'T' } } }],
    [{ openapi: './a.json', credentials: { basic: { password: { env: 'P' }, username: { env: 'U' } } } }],
    [{ mcp: { command: 'npx', args: ['-y', 'a b'], env: { A: { env: 'A' } } } }],
    [{ mcp: { command: 'server' } }],
    [{ mcp: { url: 'https://m.example/mcp' } }],
    [{ mcp: { url: 'https://m.example/mcp', headers: { Authorization: { env: 'AUTH' } } } }],
    [{ manifest: 'lever', region: 'eu', credentials: { apiKey: { env: 'L' } } }],
    [{ manifest: './deskly.yaml' }],
    [{ n8n: { url: 'https://n.example', apiKey: { env: 'N' } } }],
    [{ azure: { subscription: 's', resourceGroup: 'g', authentication: 'azcli' } }],
    [{ skills: './skills' }],
    [{ package: './tools' }],
    [{ web: { scrape: 'direct' } }],
  ])('%j comes back as it was, with what the form does not ask for', (entry) => {
    const whole = { ...MORE, ...entry };
    const { form, values, entry: changed } = changeForm(whole)!;
    expect(changed(values)).toEqual(whole);
    expect(Object.keys(changed(values))).toEqual(Object.keys(whole));
    expect(form.fields.length).toBeGreaterThan(0);
  });

  it('has what was changed in its place, new members behind, and loses what was emptied', () => {
    const entry = { openapi: './a.json', baseUrl: 'https://a.example', prefix: 'a' };
    const { values, entry: changed } = changeForm(entry)!;
    const moved = { ...values, baseUrl: 'https://b.example', credential: 'bearer', bearer: 'T' };
    expect(JSON.stringify(changed(moved))).toBe(
      '{"openapi":"./a.json","baseUrl":"https://b.example","prefix":"a","credentials":{"bearer":{"env":"T"}}}',
    );
    expect(changed({ ...values, baseUrl: '' })).toEqual({ openapi: './a.json', prefix: 'a' });
  });
});

describe('what a form cannot say', () => {
  it.each<[JsonObject, string[], boolean]>([
    [
      { openapi: { document: './a.json', overlay: ['./b.yaml'] }, baseUrl: 'https://a.example' },
      ['baseUrl'],
      true,
    ],
    [{ openapi: './a.json', credentials: { oauth2: { clientId: 'c' } } }, ['document', 'baseUrl'], false],
    [{ openapi: './a.json', credentials: { bearer: 'text' } }, ['document', 'baseUrl'], false],
    [{ openapi: './a.json', credentials: { bearer: { file: './t' } } }, ['document', 'baseUrl'], false],
    [
      { openapi: './a.json', credentials: { bearer: { env: 'T' }, schemes: {} } },
      ['document', 'baseUrl'],
      false,
    ],
    [{ openapi: './a.json', credentials: 'none' }, ['document', 'baseUrl'], false],
  ])('%j keeps it, and asks for the rest', (entry, fields, credential) => {
    const { form, values, entry: changed } = changeForm(entry)!;
    expect(form.fields.map(({ name }) => name)).toEqual(fields);
    expect(form.credential ?? false).toBe(credential);
    expect(changed({ ...values, baseUrl: 'https://c.example' })).toEqual({
      ...entry,
      baseUrl: 'https://c.example',
    });
  });

  it.each<[JsonObject]>([
    [{ mcp: { command: 'npx', cwd: '/x' } }],
    [{ mcp: { command: 'npx', env: { A: { env: 'B' } } } }],
    [{ mcp: { command: 'npx', env: { A: 'text' } } }],
    [{ mcp: { url: 'https://m.example', headers: { 'X-Key': { env: 'K' } } } }],
    [{ web: { search: { provider: 'brave' } } }],
    [{ azure: { subscription: 's', resourceGroup: 'g', connections: ['a'] } }],
    [{ command: 'npx', args: ['a'] }],
    [{ graphql: './a.graphql' }],
    [{}],
  ])('%j has no form', (entry) => {
    expect(changeForm(entry)).toBeUndefined();
  });
});
