import { describe, expect, it } from 'vitest';
import { isToolcribError } from '../../src/errors.ts';
import type { ScriptArgument } from '../../src/operations/index.ts';
import {
  renderArguments,
  renderHeader,
  renderText,
  renderTree,
  renderUrl,
  type TemplateValues,
  templateNames,
} from '../../src/templates/index.ts';
import fc from '../properties.ts';

const values: TemplateValues = {
  args: {
    query: 'a b&c',
    count: 7,
    exact: false,
    nothing: null,
    empty: '',
    list: [1, { deep: 'x' }],
    on: true,
  },
  context: { skill_id: 'reader' },
  secrets: { key: 'k-1' },
};

const failure = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (isToolcribError(error)) return { code: error.code, message: error.message, pointer: error.pointer };
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('values at leaves', () => {
  it('keeps the type of a value that is the whole text', () => {
    expect(
      renderTree(
        { a: '{{args.count}}', b: ['{{ args.list }}', '{{args.exact}}'], c: '{{args.nothing}}' },
        values,
      ),
    ).toEqual({ a: 7, b: [values.args['list'], false], c: null });
  });

  it('becomes text within other text, objects and lists as JSON', () => {
    expect(renderTree('{{args.count}} of {{args.list}}', values)).toBe('7 of [1,{"deep":"x"}]');
  });

  it('follows members and positions', () => {
    expect(renderTree('{{args.list.1.deep}}', values)).toBe('x');
  });

  it.each([
    ["{{args.none|default:'v'}}", 'v'],
    ['{{ args.none | default: "v w" }}', 'v w'],
    ['{{args.none|default:plain text}}', 'plain text'],
    ['{{args.none|default:3.5}}', 3.5],
    ['{{args.none|default:-2}}', -2],
    ['{{args.none|default:true}}', true],
    ['{{args.none|default:null}}', null],
    ["{{args.none|default:'7'}}", '7'],
    ['{{args.none|default:}}', ''],
    ["{{args.none|default:''}}", ''],
    ["{{args.none|default:'a}}b'}}", 'a}}b'],
    ["{{args.nothing|default:'v'}}", 'v'],
    ["{{args.empty|default:'v'}}", 'v'],
    ['{{args.exact|default:true}}', false],
    ['{{args.count|default:1}}', 7],
  ])('takes the default of %s only while the value is missing, null or empty', (template, expected) => {
    expect(renderTree(template, values)).toEqual(expected);
  });

  it('names argument and place where a value is missing', () => {
    expect(failure(() => renderTree({ body: [{ q: '{{args.gone}}' }] }, values))).toEqual({
      code: 'template_value_missing',
      message: 'args.gone has no value, and the template at body.0.q has no default for it.',
      pointer: '/gone',
    });
    expect(failure(() => renderTree('x{{args.nothing}}', values)).code).toBe('template_value_missing');
    expect(failure(() => renderTree('{{context.teacher_id}}', values)).code).toBe('template_value_missing');
  });

  it('looks at own members only', () => {
    for (const name of [
      'args.constructor',
      'args.__proto__',
      'args.query.length',
      'context.toString',
      'toString.x',
    ])
      expect(failure(() => renderTree(`{{${name}}}`, values)).code).toBe('template_value_missing');
  });

  it('leaves other text as it is', () => {
    const text = '{ "a": { "b": 1 }} and }} and { {';
    expect(renderTree(text, values)).toBe(text);
    expect(renderTree("--format={{'{{json .}}'}}", values)).toBe('--format={{json .}}');
  });

  it('puts in what looks like a template as text', () => {
    expect(renderTree('{{args.query}}!', { ...values, args: { query: '{{secrets.key}}' } })).toBe(
      '{{secrets.key}}!',
    );
  });

  it('makes an own member of a name that objects have', () => {
    const tree = JSON.parse('{"__proto__":"{{args.count}}"}');
    const rendered = renderTree(tree, values);
    expect(JSON.stringify(rendered)).toBe('{"__proto__":7}');
    expect(Object.getPrototypeOf(rendered)).toBe(Object.prototype);
  });

  it('ends before texts of any length', () => {
    const template = '{{args.query}}'.repeat(200);
    const long = { ...values, args: { query: 'x'.repeat(100_000) } };
    expect(failure(() => renderText(template, long)).code).toBe('arguments_invalid');
  });
});

it('tells the one who encodes what stands before and after', () => {
  const seen: unknown[] = [];
  renderText('https://h/{{args.query}}?k={{args.count}}#e', values, (value, place) => {
    seen.push([value, place.before, place.after]);
    return value;
  });
  expect(seen).toEqual([
    ['a b&c', 'https://h/', '?k=#e'],
    ['7', 'https://h/?k=', '#e'],
  ]);
});

it('names every value that is asked for', () => {
  expect(
    templateNames({ a: ['{{args.q|default:1}} {{context.run_id}}'], b: 3, c: '{{secrets.key}}' }),
  ).toEqual([
    { namespace: 'args', path: ['q'], hasDefault: true },
    { namespace: 'context', path: ['run_id'], hasDefault: false },
    { namespace: 'secrets', path: ['key'], hasDefault: false },
  ]);
});

describe('arguments of a program', () => {
  const rendered = (args: readonly ScriptArgument[]) => renderArguments(args, values);

  it('makes exactly one of each text, whatever is in it', () => {
    expect(rendered(['{{args.query}}', '--n={{args.count}}', '; rm -rf /', '{{args.list}}'])).toEqual([
      'a b&c',
      '--n=7',
      '; rm -rf /',
      '[1,{"deep":"x"}]',
    ]);
  });

  it('leaves a group out while an argument in it is missing, null or empty', () => {
    expect(
      rendered([
        ['--a', '{{args.gone}}'],
        ['--b', '{{args.nothing}}'],
        ['--c', '{{args.empty}}'],
        ['--d', '{{args.count}}'],
        ['--e', '{{args.gone|default:5}}'],
        ['--f', 'plain'],
      ]),
    ).toEqual(['--d', '7', '--e', '5', '--f', 'plain']);
  });

  it('drops nothing that was given without a word, where the rest of its group is missing', () => {
    const group = ['--range', '{{args.count}}', '{{args.gone}}'];
    expect(failure(() => rendered([group]))).toEqual({
      code: 'arguments_invalid',
      message: 'args.gone is missing, without which args.count goes nowhere.',
      pointer: '/gone',
    });
    // it goes where another item has it
    expect(rendered(['{{args.count}}', group])).toEqual(['7']);
    expect(rendered([{ flag: '--on', when: 'args.on' }, ['--x', '{{args.on}}', '{{args.gone}}']])).toEqual([
      '--on',
    ]);
    expect(renderArguments([group], values, { LOW: '{{args.count}}' })).toEqual([]);
    expect(rendered([['--x', '{{args.gone}}', '{{args.count|default:1}}']])).toEqual([]);
  });

  it('has a flag while its argument is true, and only then', () => {
    expect(
      rendered(['on', 'exact', 'gone', 'query'].map((name) => ({ flag: `--${name}`, when: `args.${name}` }))),
    ).toEqual(['--on']);
    expect(rendered([{ flag: '--json', when: '{{ args.on }}' }])).toEqual(['--json']);
  });

  it('has a flag for a list with items, and not for an empty one', () => {
    const when = (files: unknown) =>
      renderArguments([{ flag: '--files', when: 'args.files' }], {
        ...values,
        args: { files } as typeof values.args,
      });
    expect(when(['a'])).toEqual(['--files']);
    for (const none of [[], null, undefined, 'true', 1, {}]) expect(when(none)).toEqual([]);
  });

  const each = (files: unknown, flag?: string) =>
    renderArguments(['a', { each: 'args.files', ...(flag === undefined ? {} : { flag }) }, 'z'], {
      ...values,
      args: { files } as typeof values.args,
    });

  it('makes as many as a list has items, in their order, a flag before each', () => {
    expect(each(['x y', '', '--n', 7, false, '{{args.files}}', '; id'])).toEqual(
      ['a', 'x y', '', '--n', '7', 'false', '{{args.files}}', '; id', 'z'], // as they are
    );
    expect(each(['x', 'y'], '--file')).toEqual(['a', '--file', 'x', '--file', 'y', 'z']);
  });

  it('makes none of a list that is missing, null or empty', () => {
    for (const none of [[], null, undefined])
      for (const flag of [undefined, '--file']) expect(each(none, flag)).toEqual(['a', 'z']);
  });

  it.each([
    ['x', 'args.files is no list.', '/files'],
    ['', 'args.files is no list.', '/files'],
    [{ 0: 'x' }, 'args.files is no list.', '/files'],
    [['x', null], 'args.files.1 is no text, number, true or false.', '/files/1'],
    [[['x']], 'args.files.0 is no text, number, true or false.', '/files/0'],
    [[{ a: 1 }], 'args.files.0 is no text, number, true or false.', '/files/0'],
    [Array(10_001).fill('x'), 'args.files has more than 10000 items.', '/files'],
    [Array(10_000).fill('x'), 'A program is given at most 10000 arguments.', undefined],
  ])('refuses a list that is none, or has other items: %#', (files, message, pointer) => {
    expect(failure(() => each(files))).toEqual({ code: 'arguments_invalid', message, pointer });
  });

  it('refuses a NUL in an item', () => {
    expect(failure(() => each(['a\0b'])).code).toBe('arguments_invalid');
  });

  it('fails on a missing value outside a group', () => {
    expect(failure(() => rendered(['{{args.gone}}'])).code).toBe('template_value_missing');
    expect(failure(() => rendered([['{{context.run_id}}']])).code).toBe('template_value_missing');
  });

  it('refuses a NUL', () => {
    expect(failure(() => renderArguments(['{{args.q}}'], { ...values, args: { q: 'a\0b' } })).code).toBe(
      'arguments_invalid',
    );
  });
});

describe('the address of a request', () => {
  const url = (template: string, q: string) => renderUrl(template, { args: { q }, context: {} });

  it('encodes a value so that it stays where it stands', () => {
    expect(url('https://h.test/a/{{args.q}}/b?x={{args.q}}', "a/b?c#d&e=f@g:h'%2e")).toBe(
      'https://h.test/a/a%2Fb%3Fc%23d%26e%3Df%40g%3Ah%27%252e/b?x=a%2Fb%3Fc%23d%26e%3Df%40g%3Ah%27%252e',
    );
  });

  it.each([
    ['https://h.test/a/{{args.q}}/b', '..'],
    ['https://h.test/a/{{args.q}}/b', '.'],
    ['https://h.test/a/.{{args.q}}/b', '.'],
    ['https://h.test/a/%2{{args.q}}/b', 'e'],
    ["https://h.test/a/{{args.q|default:'/../'}}/b", '..'],
    ['https://h.test/a/{{args.q}}', '\ud800'],
  ])('refuses for %s what would lead elsewhere', (template, q) => {
    expect(failure(() => url(template, q)).code).toBe('arguments_invalid');
  });

  it('leaves dots that change nothing', () => {
    expect(url('https://h.test/v1.0/{{args.q}}', '..a')).toBe('https://h.test/v1.0/..a');
    expect(url('https://h.test/a?x={{args.q}}', '..')).toBe('https://h.test/a?x=..');
  });

  it('never has another origin, path depth or parameters, whatever is put in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (q) => {
        let rendered: string;
        try {
          rendered = url('https://h.test/a/{{args.q}}/b?x={{args.q}}&y=1', q);
        } catch (error) {
          return isToolcribError(error);
        }
        const { origin, pathname, searchParams, hash } = new URL(rendered);
        expect([origin, pathname.split('/').length, [...searchParams.keys()], hash]).toEqual([
          'https://h.test',
          4,
          ['x', 'y'],
          '',
        ]);
        return searchParams.get('x') === q;
      }),
    );
  });
});

it('refuses in a header what would end it, and says which, without the value', () => {
  const header = (q: string) => renderHeader('X-Q', 'v {{args.q}}', { args: { q }, context: {} });
  expect(header('é ok')).toBe('v é ok');
  for (const q of ['a\r\nb', 'a\nb', 'a\0', '\x7f', '€']) {
    const { code, message } = failure(() => header(q));
    expect(code).toBe('arguments_invalid');
    expect(message).toContain('args.q cannot stand in the header X-Q');
  }
});
