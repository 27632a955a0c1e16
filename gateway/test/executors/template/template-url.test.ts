import { describe, expect, it, test } from 'vitest';
import { originOfTemplate, templateUrl } from '../../../src/executors/template/template-url.ts';
import type { Json, JsonObject } from '../../../src/operations/index.ts';
import fc from '../../properties.ts';

const context = { skill_id: 'marking' };
const url = (template: string, args: JsonObject = {}) => templateUrl(template, { args, context }).url;
const invalid = (code: string) => expect.objectContaining({ code });

describe('a value in an address', () => {
  test.each<[string, string, Json, string]>([
    ['slash', '/p/{{args.v}}/marks', 'a/b', '/p/a%2Fb/marks'],
    ['question mark and hash', '/p/{{args.v}}', 'a?b#c', '/p/a%3Fb%23c'],
    ['space and plus', '/p/{{args.v}}', 'a b+c', '/p/a%20b%2Bc'],
    ['number', '/p/{{args.v}}', 7, '/p/7'],
    ['within a segment', '/p/x-{{args.v}}.json', '..', '/p/x-...json'],
    ['query value', '/p?q={{args.v}}&n=1', 'a&b=c#d', '/p?q=a%26b%3Dc%23d&n=1'],
    ['query name', '/p?{{args.v}}=1', 'a=b&c', '/p?a%3Db%26c=1'],
    ['query may hold dots and slashes', '/p?q={{args.v}}', '../x', '/p?q=..%2Fx'],
    ['object', '/p?q={{args.v}}', { a: 1 }, '/p?q=%7B%22a%22%3A1%7D'],
    ['empty query value', '/p?q={{args.v}}', '', '/p?q='],
    ['not ASCII', '/p/{{args.v}}', 'é', '/p/%C3%A9'],
  ])('stays in its place: %s', (_, template, v, expected) => {
    expect(url(`https://api.example.com${template}`, { v })).toBe(`https://api.example.com${expected}`);
  });

  test.each(['.', '..', '%2e%2e', '%252e.', '..;x', '../up', 'a/../../b', '..\\up', 'a\r\nb', 'a\0b', ''])(
    'is refused in the path: %j',
    (v) => {
      expect(() => url('https://api.example.com/p/{{args.v}}/marks', { v })).toThrow(
        invalid('arguments_invalid'),
      );
    },
  );

  it('is refused where two of them make a dot segment', () => {
    expect(() => url('https://api.example.com/p/{{args.a}}{{args.b}}', { a: '.', b: '.' })).toThrow(
      invalid('arguments_invalid'),
    );
  });

  it('is refused when it is half a surrogate pair', () => {
    expect(() => url('https://api.example.com/p?q={{args.v}}', { v: '\ud800' })).toThrow(
      invalid('arguments_invalid'),
    );
  });

  it('must be there', () => {
    expect(() => url('https://api.example.com/p/{{args.v}}')).toThrow(invalid('template_value_missing'));
    expect(url('https://api.example.com/p/{{args.v|default:all}}')).toBe('https://api.example.com/p/all');
  });
});

describe('a template of an address', () => {
  test.each([
    ['host', 'https://{{args.v}}/p'],
    ['end of the host', 'https://api.example.com{{args.v}}'],
    ['part of the host', 'https://{{args.v}}.example.com/p'],
    ['port', 'https://api.example.com:{{args.v}}/p'],
    ['user', 'https://{{args.v}}@api.example.com/p'],
    ['fixed user', 'https://a:b@api.example.com/p'],
    ['scheme', '{{args.v}}://api.example.com/p'],
    ['whole', '{{args.v}}'],
    ['other scheme', 'file:///etc/{{args.v}}'],
    ['backslash', 'https://api.example.com\\{{args.v}}/p'],
    ['tab', 'https://api.exam\tple.com/{{args.v}}'],
    ['secret', 'https://api.example.com/p?key={{secrets.v}}'],
    ['context in the host', 'https://{{context.skill_id}}.example.com/'],
  ])('holds no value in its %s', (_, template) => {
    expect(() => url(template, { v: 'x' })).toThrow(invalid('skill_invalid'));
    expect(() => originOfTemplate(template)).toThrow(invalid('skill_invalid'));
  });

  it('may not climb out of its own beginning behind a value', () => {
    expect(() => url('https://api.example.com/a/b/{{args.v}}/../../c', { v: 'x' })).toThrow(
      invalid('arguments_invalid'),
    );
    expect(url('https://api.example.com/a/../b/{{args.v}}', { v: 'x' })).toBe('https://api.example.com/b/x');
  });

  it('loses its fragment and the white space around it', () => {
    expect(url('  https://API.example.com:443/p?q={{args.v}}#{{args.v}}\n', { v: '#' })).toBe(
      'https://api.example.com/p?q=%23',
    );
    expect(originOfTemplate('https://API.example.com:443/p')).toBe('https://api.example.com');
  });
});

describe('whatever the arguments', () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[.%2eEfF5cC/\\?#@:;&=\r\n\t a]{0,12}$/),
    fc.constantFrom(
      '..',
      '../..',
      '//evil.example',
      '@evil.example',
      '\\\\evil.example',
      '%2e%2e%2f',
      'https://evil.example',
    ),
    fc.integer(),
    fc.object({ maxDepth: 1 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonObject),
  );
  const templates = [
    'https://api.example.com/v1/{{args.a}}',
    'https://api.example.com/v1/x{{args.a}}y/{{args.b}}/z',
    'http://api.example.com:8080/v1/{{args.a}}{{args.b}}?q={{args.b}}&{{args.a}}=1',
    'https://api.example.com/v1/?q={{args.a}}#{{args.b}}',
  ];

  it('origin, literal prefix, segments and parameters stay, for every reader of URLs by the standard', () => {
    fc.assert(
      fc.property(fc.constantFrom(...templates), hostile, hostile, (template, a, b) => {
        let rendered: string;
        try {
          rendered = url(template, { a, b } as JsonObject);
        } catch (error) {
          expect((error as { code: string }).code).toMatch(/^(arguments_invalid|template_value_missing)$/);
          return;
        }
        const plain = new URL(url(template, { a: 'a', b: 'b' }));
        const read = new URL(rendered);
        expect(read.href).toBe(rendered);
        expect(read.origin).toBe(plain.origin);
        expect(read.username + read.password + read.hash).toBe('');
        expect(read.pathname.startsWith('/v1/')).toBe(true);
        expect(read.pathname.split('/')).toHaveLength(plain.pathname.split('/').length);
        expect(read.search.split('&')).toHaveLength(plain.search.split('&').length);
      }),
      { numRuns: 2000 },
    );
  });
});
