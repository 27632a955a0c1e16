import { describe, expect, it } from 'vitest';
import { selectNodes } from '../../../../src/sources/openapi/read/json-path.ts';

const document = {
  info: { title: 'T' },
  paths: {
    '/a': { get: { tags: ['x'], deprecated: true }, post: { tags: ['y'] } },
    '/b': { get: { tags: ['x', 'y'], operationId: "it's" } },
  },
  list: [1, 2, { n: 3 }],
};

describe('selectNodes (RFC 9535)', () => {
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
  ])('%s', (query, expected) => {
    expect(selectNodes(document, query).map((node) => node.value)).toEqual(expected);
  });

  it.each(['paths', '$.', '$[', "$['a'", '$.a b', '$[?length(@) > 1]', '$[?@.a ==]'])(
    '%s is refused',
    (query) => {
      expect(() => selectNodes(document, query)).toThrow(SyntaxError);
    },
  );
});
