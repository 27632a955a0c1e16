import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation, TokenCount } from '../../../src/operations/index.ts';
import { createTokenCounter } from '../../../src/tokens/index.ts';
import { hitLine, hitLines, listed } from '../../../src/topology/finding/hit-line.ts';
import { plainOperation } from '../../catalog/compiled-source.ts';
import { visible } from '../search-set.ts';

let count: TokenCount;
beforeAll(async () => {
  count = createTokenCounter();
});

const line = (more: Partial<Operation>) => hitLine(visible({ ...plainOperation('getPet', 'pets'), ...more }));
const needs = (...required: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(required.map((name) => [name, { type: 'string' }])),
  required,
});
const http = (path: string) => {
  const { invocation } = plainOperation('x', 'pets');
  if (invocation.kind !== 'http') throw new Error('a plain operation is called by HTTP');
  return { ...invocation, path };
};

describe('the line of a hit', () => {
  it.each<[string, Partial<Operation>, string]>([
    ['name, place, purpose', {}, 'getPet GET /getPet: Does getPet'],
    [
      'nothing where the purpose only repeats the place',
      { description: 'GET /getPet' },
      'getPet GET /getPet',
    ],
    ['required arguments', { input: needs('id', 'owner') }, 'getPet(id, owner) GET /getPet: Does getPet'],
    [
      'the source of what is not called by HTTP',
      { invocation: { kind: 'function', function: 'f' } },
      'getPet [pets]: Does getPet',
    ],
    ['the purpose of its hints', { hints: { purpose: 'Reads a pet.' } }, 'getPet GET /getPet: Reads a pet'],
    [
      'the first sentence of its description',
      { description: 'Reads a pet, e.g. a cat. It must live.\nMore.' },
      'getPet GET /getPet: Reads a pet, e.g. a cat',
    ],
    ['one line whatever the text', { description: 'Reads\n  a\tpet' }, 'getPet GET /getPet: Reads a pet'],
    [
      'what follows the mark of a deprecated operation',
      { description: 'Deprecated. Reads a pet.', deprecated: true },
      'getPet GET /getPet: Reads a pet',
    ],
    ['nothing where nothing was said', { description: '' }, 'getPet GET /getPet'],
  ])('has %s', (_, more, expected) => {
    expect(line(more)).toBe(expected);
  });

  it('shortens what is long: arguments, the middle of a path, the purpose', () => {
    const text = line({
      input: needs(...Array.from({ length: 20 }, (_, index) => `argument${index}`)),
      invocation: http(`/organisations/{organisation}/${'very-long-segment/'.repeat(8)}members`),
      description:
        'Reads the members of everything that there is, in one long sentence that does not end soon enough.',
    });
    expect(text.length).toBeLessThanOrEqual(200);
    expect(text).toMatch(
      /^getPet\(argument0, argument1, argument2, argument3 \+16\) GET \/organisations\/.*…/,
    );
    expect(text).toMatch(/members: Reads the members .*…$/);
  });

  it('stays within 400 tokens eight times, with the longest names', () => {
    const names = [
      'reactions_create_for_team_discussion_comment',
      'CephFsListingResource_createCephFsDirectory',
    ];
    const operations = Array.from({ length: 8 }, (_, index) =>
      visible({
        ...plainOperation(`${names[index % 2]}_${index}`, 'pets'),
        input: needs('organisation', 'team_slug', 'discussion_number', 'comment_number', 'content'),
        invocation: http(
          '/organisations/{organisation}/teams/{team_slug}/discussions/{discussion_number}/comments',
        ),
        description:
          'Creates a reaction to a comment of a discussion in which the members of a team take part.',
      }),
    );
    expect(count(hitLines(operations))).toBeLessThanOrEqual(400);
  });
});

it.each([
  [['a', 'b'], 20, 'a, b'],
  [['first', 'second', 'third'], 13, 'first, second +1'],
  [['a'.repeat(30)], 10, `${'a'.repeat(9)}…`],
  [[], 10, ''],
])('lists %j within %i characters', (names, length, text) => {
  expect(listed(names, length)).toBe(text);
});
