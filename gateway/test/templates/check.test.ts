import { describe, expect, it } from 'vitest';
import { isToolcribError } from '../../src/errors.ts';
import type { JsonSchema } from '../../src/operations/index.ts';
import { CONTEXT_NAMES, checkArguments, checkTemplate, renderTree } from '../../src/templates/index.ts';
import fc from '../properties.ts';

const scope = (args: JsonSchema, secrets = false) => ({ args, context: CONTEXT_NAMES, secrets });
const messages = (tree: Parameters<typeof checkTemplate>[0], args: JsonSchema = {}, secrets = false) =>
  checkTemplate(tree, scope(args, secrets)).map(({ message }) => message);

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    filter: { type: 'object', properties: { since: { type: 'string' } }, additionalProperties: false },
    rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
    pair: { prefixItems: [{ type: 'object', properties: { left: {} } }] },
    open: { type: 'object' },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    either: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/named' }] },
    loop: { $ref: '#/$defs/loop' },
  },
  $defs: {
    named: { type: 'object', properties: { name: { type: 'string' } } },
    loop: {
      type: 'object',
      properties: { next: { $ref: '#/$defs/loop' } },
      allOf: [{ $ref: '#/$defs/loop' }],
    },
  },
};

describe('arguments that a template may name', () => {
  it.each([
    'query',
    'filter.since',
    'rows.0.id',
    'pair.0.left',
    'open.anything.below',
    'map.any',
    'either.name',
    'loop.next.next.next',
  ])('takes args.%s', (name) => {
    expect(messages(`{{args.${name}}}`, SCHEMA)).toEqual([]);
  });

  it.each([
    ['qeury', 'args.qeury is unknown: input_schema declares no qeury. Did you mean "query"?'],
    ['filter.until', 'args.filter.until is unknown: the schema of args.filter declares no until.'],
    ['query.x', 'args.query.x is unknown: the schema of args.query declares no x.'],
    ['rows.0.name', 'args.rows.0.name is unknown: the schema of args.rows.0 declares no name.'],
    ['map.any.deep', 'args.map.any.deep is unknown: the schema of args.map.any declares no deep.'],
    ['either.title', 'args.either.title is unknown: the schema of args.either declares no title.'],
    ['loop.last', 'args.loop.last is unknown: the schema of args.loop declares no last.'],
    ['constructor', 'args.constructor is unknown: input_schema declares no constructor.'],
  ])('refuses args.%s', (name, message) => {
    expect(messages(`{{args.${name}}}`, SCHEMA)).toEqual([message]);
  });

  it('takes any name where the schema says nothing, none where it is closed', () => {
    expect(messages('{{args.x.y}}', { type: 'object' })).toEqual([]);
    expect(messages('{{args.x}}', { type: 'object', additionalProperties: false })).toHaveLength(1);
  });
});

describe('other faults', () => {
  it.each([
    ['a {{args.q', '"{{args.q" has no closing "}}".'],
    ["{{args.q|default:'x}}", `"{{args.q|default:'x}}" has no closing "}}".`],
    ['{{}}', '"{{}}" is no name such as args.query or context.skill_id.'],
    ['{{args.q + 1}}', '"{{args.q + 1}}" is no name such as args.query or context.skill_id.'],
    ['{{args..q}}', '"{{args..q}}" is no name such as args.query or context.skill_id.'],
    ['{{args.q|upper}}', '"{{args.q|upper}}": the only thing that may follow "|" is default:value.'],
    [
      "{{args.q|default:'a'|upper}}",
      `"{{args.q|default:'a'|upper}}": a default with signs such as | and quotes is quoted whole.`,
    ],
    ['{{arg.q}}', 'arg.q is unknown: names begin with args, context or secrets. Did you mean "args"?'],
    ['{{process.env}}', 'process.env is unknown: names begin with args, context or secrets.'],
    ['{{args}}', 'args alone is no value: name one, as in args.name.'],
    ['{{context.skill_id.x}}', 'context.skill_id.x is unknown: values of context are texts without members.'],
    ['{{secrets.key}}', 'secrets.key may not stand here: secrets go into env and headers only.'],
  ])('says of %s why it is none', (template, message) => {
    expect(messages({ body: [template] })).toEqual([message]);
  });

  it('proposes the name of the context that was meant', () => {
    expect(messages('{{context.skil_id}}')[0]).toMatch(
      /^context\.skil_id is unknown; .* Did you mean "skill_id"\?$/,
    );
  });

  it('says where', () => {
    expect(checkTemplate({ a: { b: ['', '{{x.y}}'] } }, scope({}))[0]?.path).toEqual(['a', 'b', 1]);
  });

  it('takes secrets where they may stand, and knows their names where it is told', () => {
    expect(messages('{{secrets.key}}', {}, true)).toEqual([]);
    const known = { ...scope({}, true), secretNames: ['KEY'] };
    expect(checkTemplate('{{secrets.KEZ}}', known)[0]?.message).toBe(
      'secrets.KEZ is unknown. Did you mean "KEY"?',
    );
  });

  it('refuses templates in names of members, too many of them, and trees without end', () => {
    expect(messages({ '{{args.q}}': 1 })).toEqual(['Templates stand in values, not in names.']);
    expect(messages('{{args.q}}'.repeat(300))).toEqual(['There are more than 256 references to values.']);
    expect(messages(`{{args${'.a'.repeat(33)}}}`)).toEqual(['A reference has at most 32 names.']);
    expect(messages(`{{args.${'a'.repeat(600)}}}`)).toEqual(['A reference has at most 512 characters.']);
    let deep: Parameters<typeof checkTemplate>[0] = 'x';
    for (let level = 0; level < 70; level++) deep = [deep];
    expect(messages(deep)).toEqual(['It is nested deeper than 64 levels.']);
  });
});

it('checks groups and flags of arguments', () => {
  const problems = checkArguments(
    [
      '{{args.query}}',
      ['--x', '{{args.gone}}'],
      { flag: '--json', when: 'args.query' },
      { flag: '', when: 'args.nope' },
      { flag: '{{args.query}}', when: 'query' },
    ],
    scope(SCHEMA),
  );
  expect(problems.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
    '1.1: args.gone is unknown: input_schema declares no gone.',
    '3.flag: A flag is text without templates.',
    '3.when: args.nope is unknown: input_schema declares no nope.',
    '4.flag: A flag is text without templates.',
    '4.when: when names one argument, as args.json does.',
  ]);
});

describe('an argument whose items become arguments', () => {
  const LISTS: JsonSchema = {
    type: 'object',
    properties: {
      files: { type: 'array', items: { type: 'string' } },
      mixed: { type: ['array', 'null'], items: { type: ['integer', 'string', 'object'] } },
      command: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      either: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/list' }] },
      inside: { type: 'object', properties: { names: { type: 'array' } } },
      open: {},
      one: { type: 'string' },
      object: { type: 'object', additionalProperties: { type: 'array' } },
      rows: { type: 'array', items: { $ref: '#/$defs/row' } },
      lists: { type: 'array', prefixItems: [{ type: 'array' }] },
    },
    additionalProperties: false,
    $defs: { list: { type: 'array', items: { type: 'boolean' } }, row: { type: 'object' } },
  };
  const found = (each: string, flag?: string) =>
    checkArguments([{ each, ...(flag === undefined ? {} : { flag }) }], scope(LISTS)).map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );

  it.each(['files', 'mixed', 'command', 'either', 'inside.names', 'open', 'open.below', 'object.any'])(
    'may be args.%s',
    (name) => {
      expect(found(`args.${name}`, '--file')).toEqual([]);
      expect(checkArguments([{ each: `args.${name}` }], scope({}))).toEqual([]);
    },
  );

  it.each([
    ['args.fils', '0.each: args.fils is unknown: input_schema declares no fils. Did you mean "files"?'],
    ['args.one', '0.each: each needs a list, and args.one is none by input_schema.'],
    ['args.object', '0.each: each needs a list, and args.object is none by input_schema.'],
    ['args.rows', /^0\.each: each needs a list of texts, .* args\.rows has other items by input_schema\.$/],
    ['args.lists', /args\.lists has other items/],
    ['files', '0.each: each names one argument, as args.files does.'],
    ['args.files {{args.one}}', '0.each: each names one argument, as args.files does.'],
    ['context.run_id', '0.each: each names one argument, as args.files does.'],
    ['args', '0.each: each names one argument, as args.files does.'],
  ])('is not %s', (each, message) => {
    expect(found(each)).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)]);
  });

  it('has a flag that is plain text', () => {
    expect(found('args.files', '{{args.one}}')).toEqual(['0.flag: A flag is text without templates.']);
    expect(found('args.files', '')).toHaveLength(1);
  });
});

it('renders whatever it finds no fault with, but for missing values', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '{{',
      '}}',
      '{',
      '}',
      '|default:',
      "'",
      '"',
      'args.a',
      'context.run_id',
      '|',
      '.',
      ' ',
      '1',
      'null',
    ),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      if (checkTemplate(text, scope({}, true)).length > 0) return;
      try {
        renderTree(text, { args: { a: { b: 1 } }, context: { run_id: 'r' } });
      } catch (error) {
        expect(isToolcribError(error) && error.code).toBe('template_value_missing');
      }
    }),
    { numRuns: 2000 },
  );
});

it('takes no longer than the text is long', () => {
  const hostile = [
    '{{'.repeat(200_000),
    `{{args.a|default:${"'".repeat(400_000)}`,
    '{{'.concat(' '.repeat(400_000), 'x}}'),
  ];
  for (const text of hostile) expect(checkTemplate(text, scope({})).length).toBeGreaterThan(0);
});
