import { describe, expect, it, test } from 'vitest';
import { templateRequest } from '../../../src/executors/template/template-request.ts';
import type { Json, JsonObject, TemplateInvocation } from '../../../src/operations/index.ts';
import fc from '../../properties.ts';
import { REQUEST } from '../skill/tool-under-test.ts';

const context = { skill_id: 'marking', run_id: 'said by a client' };
const SECRETS = { key: 's3cret' };

function request(invocation: Partial<TemplateInvocation>, args: JsonObject = {}) {
  return templateRequest({ ...REQUEST, method: 'post', ...invocation }, { args, context, secrets: SECRETS });
}
const headers = (invocation: Partial<TemplateInvocation>, args?: JsonObject): Record<string, string> =>
  Object.fromEntries(request(invocation, args).headers.map(([name, value]) => [name.toLowerCase(), value]));
const bodyOf = (body: Json, type: string | undefined, args: JsonObject) =>
  request({ body, headers: type === undefined ? {} : { 'Content-Type': type } }, args).body;
const refused = (code: string) => expect.objectContaining({ code });

describe('headers', () => {
  it('are filled in; what has a secret is known as a credential', () => {
    const made = request(
      {
        headers: {
          Authorization: 'Bearer {{secrets.key}}',
          'X-Key': '{{secrets.key}}',
          'X-Class': '{{args.c}} 7',
        },
      },
      { c: 'b' },
    );
    expect(made.method).toBe('POST');
    expect(made.headers).toEqual([
      ['accept', 'application/json, */*;q=0.5'],
      ['Authorization', 'Bearer s3cret'],
      ['X-Key', 's3cret'],
      ['X-Class', 'b 7'],
    ]);
    expect(made.credentialHeaders).toEqual(['authorization', 'x-key']);
  });

  test.each(['a\r\nX-Other: b', 'a\nb', 'a\rb', 'a\0b', 'snow \u2603', '\u007f'])(
    'hold no line ends, controls or other alphabets: %j',
    (v) => {
      expect(() => request({ headers: { 'X-Class': '{{args.v}}' } }, { v })).toThrow(
        refused('arguments_invalid'),
      );
    },
  );

  test.each([
    'Authorization',
    'cookie',
    'Proxy-Authorization',
    'Proxy-Something',
    'Content-Type',
    'accept',
    'X-HTTP-Method-Override',
  ])('take nothing of a caller into %s', (name) => {
    for (const template of ['{{args.v}}', 'x {{args.v|default:y}}', '{{context.run_id}}'])
      expect(() => request({ headers: { [name]: template } }, { v: 'v' })).toThrow(refused('skill_invalid'));
  });

  test.each(['Host', 'content-length', 'Transfer-Encoding', 'connection', 'TE', 'Upgrade', 'Expect'])(
    'leave %s to the connection',
    (name) => {
      expect(() => request({ headers: { [name]: 'x' } })).toThrow(refused('skill_invalid'));
    },
  );

  it('have names that a request can carry, each once', () => {
    for (const name of ['', 'a b', 'x:', '{{args.v}}', 'x\r\ny'])
      expect(() => request({ headers: { [name]: 'v' } }, { v: 'v' })).toThrow(refused('skill_invalid'));
    expect(() => request({ headers: { 'X-A': '1', 'x-a': '2' } })).toThrow(refused('skill_invalid'));
  });

  it('never grow, whatever the arguments', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (v) => {
        try {
          const made = headers({ headers: { 'X-Class': 'a{{args.v}}' } }, { v });
          expect(Object.keys(made)).toEqual(['accept', 'x-class']);
          expect(made['x-class']).toMatch(/^[\t\x20-\x7e\x80-\xff]*$/);
        } catch (error) {
          expect((error as { code: string }).code).toBe('arguments_invalid');
        }
      }),
    );
  });
});

describe('a body', () => {
  it('is JSON whose whole leaves keep their type', () => {
    const body = {
      n: '{{args.n}}',
      list: ['{{args.l}}'],
      said: 'for {{args.n}}: {{args.l}}',
      fixed: [1, null, true],
    };
    expect(JSON.parse(bodyOf(body, undefined, { n: 5, l: ['a'] }) as string)).toEqual({
      n: 5,
      list: [['a']],
      said: 'for 5: ["a"]',
      fixed: [1, null, true],
    });
    expect(headers({ body: { n: 1 } })['content-type']).toBe('application/json');
    expect(
      headers({ body: { n: 1 }, headers: { 'content-type': 'application/vnd.api+json' } }),
    ).toMatchObject({
      'content-type': 'application/vnd.api+json',
    });
  });

  it('cannot be broken out of where it was written as JSON text', () => {
    const v = '", "admin": true, "x": "';
    for (const type of [undefined, 'application/json'])
      expect(JSON.parse(bodyOf('{"q": "{{args.v}}", "k": 1}', type, { v }) as string)).toEqual({
        q: v,
        k: 1,
      });
    expect(() => bodyOf('{"q": {{args.v}}}', undefined, { v })).toThrow(refused('skill_invalid'));
    expect(() => bodyOf('q = {{args.v}}', 'application/json', { v })).toThrow(refused('skill_invalid'));
  });

  it('is one value, or text', () => {
    expect(bodyOf('{{args.v}}', undefined, { v: { a: 1 } })).toBe('{"a":1}');
    expect(bodyOf('{{args.v}}', 'application/json', { v: 'x' })).toBe('"x"');
    const text = request({ body: 'Dear {{args.v}}' }, { v: '<Ada>' });
    expect(text.body).toBe('Dear <Ada>');
    expect(text.headers).toContainEqual(['content-type', 'text/plain; charset=utf-8']);
    expect(bodyOf('{{args.v}}, dear', undefined, { v: 'Ada' })).toBe('Ada, dear');
    expect(bodyOf('{no json', undefined, {})).toBe('{no json');
    expect(bodyOf('[1, 2]', undefined, {})).toBe('[1,2]');
    expect(bodyOf('Dear {{args.v}}', 'text/markdown', { v: '<Ada>' })).toBe('Dear <Ada>');
  });

  it('is a form where its type says so', () => {
    const form = 'application/x-www-form-urlencoded';
    const args = { v: 'a&b=c +é', l: ['1', '2'], o: { k: 'x' } };
    expect(bodyOf({ q: '{{args.v}}', l: '{{args.l}}', o: '{{args.o}}', n: 3 }, form, args)).toBe(
      'q=a%26b%3Dc%20%2B%C3%A9&l=1&l=2&o=%7B%22k%22%3A%22x%22%7D&n=3',
    );
    expect(bodyOf('q={{args.v}}&n=3', form, args)).toBe('q=a%26b%3Dc%20%2B%C3%A9&n=3');
    expect(bodyOf('{{args.o}}', `${form}; charset=utf-8`, args)).toBe('k=x');
    expect(() => bodyOf(['a'], form, args)).toThrow(refused('skill_invalid'));
    expect(() => bodyOf({ q: '{{args.v}}' }, form, { v: '\ud800' })).toThrow(refused('arguments_invalid'));
  });

  it('escapes what is put into markup', () => {
    for (const type of ['application/xml', 'text/xml; charset=utf-8', 'image/svg+xml', 'text/html'])
      expect(bodyOf('<q a="{{args.v}}"/>', type, { v: '"/><x y=\'&' })).toBe(
        '<q a="&quot;/&gt;&lt;x y=&#39;&amp;"/>',
      );
  });

  it('takes no values where nobody knows how they are written', () => {
    expect(() => bodyOf('query { a(b: "{{args.v}}") }', 'application/graphql', { v: 'x' })).toThrow(
      refused('skill_invalid'),
    );
    expect(bodyOf('query { a }', 'application/graphql', {})).toBe('query { a }');
    expect(bodyOf('{{args.v}}', 'application/graphql', { v: '{ a }' })).toBe('{ a }');
    expect(() => bodyOf({ a: 1 }, 'multipart/form-data', {})).toThrow(refused('skill_invalid'));
  });

  it('holds no secret', () => {
    expect(() => bodyOf({ k: '{{secrets.key}}' }, undefined, {})).toThrow(refused('skill_invalid'));
    expect(() => bodyOf('{{secrets.key}}', 'text/plain', {})).toThrow(refused('skill_invalid'));
  });

  it('keeps members that are called as no other is', () => {
    const body = JSON.parse('{"__proto__": {"a": "{{args.v}}"}}') as Json;
    expect(bodyOf(body, undefined, { v: 1 })).toBe('{"__proto__":{"a":1}}');
  });
});
