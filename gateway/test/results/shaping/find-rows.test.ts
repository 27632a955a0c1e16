import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/operations/index.ts';
import { findRows } from '../../../src/results/shaping/find-rows.ts';

const ROWS: Json[] = [{ id: 1 }, { id: 2 }];

describe('the list within an answer', () => {
  it.each<[string, Json, readonly string[], Json | undefined]>([
    ['a bare list', ROWS, [], undefined],
    ['{data: […]}', { data: ROWS, total: 9 }, ['data'], { total: 9 }],
    ['{items: […]}', { kind: 'List', items: ROWS }, ['items'], { kind: 'List' }],
    ['{value: […]} with a link', { value: ROWS, nextLink: 'x' }, ['value'], { nextLink: 'x' }],
    ['the result of a bare list', { result: ROWS }, ['result'], undefined],
    [
      'a list within a result',
      { result: { data: ROWS, total: 9 } },
      ['result', 'data'],
      { result: { total: 9 } },
    ],
    ['the only list of objects', { name: 'a', disks: ROWS }, ['disks'], { name: 'a' }],
    [
      'the only list of scalars, counted',
      { buckets: ['a', 'b'], total_count: 2 },
      ['buckets'],
      { total_count: 2 },
    ],
    [
      'GraphQL nodes',
      { data: { user: { repos: { nodes: ROWS, pageInfo: { hasNextPage: true } } } } },
      ['data', 'user', 'repos', 'nodes'],
      { data: { user: { repos: { pageInfo: { hasNextPage: true } } } } },
    ],
    ['the likelier of two lists', { errors: [], data: ROWS }, ['data'], { errors: [] }],
    [
      'the entries of a bundle (FHIR), beside its links',
      { resourceType: 'Bundle', link: [{ relation: 'self', url: '/Patient' }], entry: ROWS },
      ['entry'],
      { resourceType: 'Bundle', link: [{ relation: 'self', url: '/Patient' }] },
    ],
    [
      'the resources of SCIM, beside its schemas',
      { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'], totalResults: 2, Resources: ROWS },
      ['Resources'],
      { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'], totalResults: 2 },
    ],
    ['links that are the list', { link: ROWS }, ['link'], undefined],
    ['an empty list', { data: [] }, ['data'], undefined],
  ])('%s', (_what, answer, path, envelope) => {
    const found = findRows(answer)!;
    expect(found.path).toEqual(path);
    expect(found.envelope).toEqual(envelope);
    expect(found.replace(found.rows)).toEqual(answer);
  });

  it('unwraps the edges of a connection', () => {
    const found = findRows({ data: { repos: { edges: [{ cursor: 'x', node: { id: 1 } }] } } })!;
    expect(found.rows).toEqual([{ id: 1 }]);
    expect(found.replace([{ id: 2 }])).toEqual({ data: { repos: { edges: [{ node: { id: 2 } }] } } });
  });

  it.each<[string, Json]>([
    ['a text', 'a'],
    ['null', null],
    ['an object', { id: 1, owner: { name: 'a' } }],
    ['one thing with its tags', { id: 1, name: 'a', tags: ['x', 'y'] }],
    ['several lists', { disks: ROWS, hosts: ROWS }],
    [
      'a user of SCIM',
      { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], emails: ROWS, groups: ROWS },
    ],
    ['one thing with a list far inside', { id: 1, config: { items: ROWS } }],
  ])('is none: %s', (_what, answer) => expect(findRows(answer)).toBeUndefined());
});
