import { describe, expect, it } from 'vitest';
import { type Json, valueAt } from '../../../../src/operations/index.ts';
import { select } from '../../../../src/sources/openapi/read/json-path.ts';

const document = {
  info: { title: 'T' },
  paths: {
    '/a': { get: { tags: ['x'], deprecated: true }, post: { tags: ['y'] } },
    '/b': { get: { tags: ['x', 'y'], operationId: "it's" } },
  },
  list: [1, 2, { n: 3 }],
};

describe('select (RFC 9535)', () => {
  it.each<[string, unknown[]]>([
    ['$', [document]],
    ['$.info.title', ['T']],
    ["$['info']['title']", ['T']],
    ['$.paths["/b"].get.operationId', ["it's"]],
    ['$.list[0]', [1]],
    ['$.list[-1].n', [3]],
    ['$.list[0,1]', [1, 2]],
    ['$.list[*]', [1, 2, { n: 3 }]],
    ['$.paths.*.get.tags[0]', ['x', 'x']],
    ['$..n', [3]],
    ['$..tags[1]', ['y']],
    ["$['info','none']", [{ title: 'T' }]],
    ['$.paths[*][?@.deprecated == true].tags', [['x']]],
    ["$.paths.*[?(@.operationId == 'it\\'s')].tags[0]", ['x']],
    ["$.paths.*[?(@.tags[0] == 'x' && !@.deprecated)].operationId", ["it's"]],
    ["$.paths.*[?@.tags[0] != 'x' || @.operationId].tags", [['y'], ['x', 'y']]],
    ['$.list[?@.n]', [{ n: 3 }]],
    ['$.none.where', []],
    ['$.constructor', []],
    ['$.__proto__.toString', []],
    ['$.list[1:]', [2, { n: 3 }]],
    ['$.list[?@ >= 2]', [2]],
    ['$.paths[?length(@.get.tags) > 1].get.operationId', ["it's"]],
    ['$.paths.*[?match(@.operationId, "it.*")].tags', [['x', 'y']]],
    ["$.paths[?@[?@.tags[?@ == 'y']]].get.operationId", ["it's"]],
    [' $.info.title ', ['T']],
  ])('%s', async (query, expected) => {
    const { locations, values } = await select(document as unknown as Json, query);
    expect(locations.map((location) => valueAt(document, location.map(String)))).toEqual(expected);
    expect(values).toEqual(expected);
  });

  it('says where', async () => {
    expect((await select(document as unknown as Json, '$.list[-1].n')).locations).toEqual([['list', 2, 'n']]);
    expect((await select(document as unknown as Json, '$')).locations).toEqual([[]]);
  });

  it.each(['paths', '$.', '$[', "$['a'", '$.a b', '$[?length(@.*) > 1]', '$[?@.a ==]'])(
    '%s is refused',
    async (query) => {
      await expect(select(document as unknown as Json, query)).rejects.toThrow();
    },
  );
});
