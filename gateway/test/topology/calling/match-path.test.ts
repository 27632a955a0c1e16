import { describe, expect, it } from 'vitest';
import {
  compareTemplates,
  matchSegments,
  matchWithSlashes,
  parseTemplate,
  segmentsOf,
} from '../../../src/topology/calling/match-path.ts';

const match = (template: string, path: string) => matchSegments(parseTemplate(template)!, segmentsOf(path)!);
const withSlashes = (template: string, path: string) =>
  matchWithSlashes(parseTemplate(template)!, segmentsOf(path)!);

describe('matchSegments', () => {
  it.each([
    ['/pools', '/pools', {}],
    ['/pools/{pool}', '/pools/7', { pool: '7' }],
    ['/pools/{pool}/', 'pools/7', { pool: '7' }],
    ['/pools/{pool}', '/pools/a%2Fb%20c', { pool: 'a/b c' }],
    ['/pools/{pool}', '/pools/100%', { pool: '100%' }],
    ['/a b/{id}', '/a%20b/1', { id: '1' }],
    ['/files/{+name}', '/files/x', { name: 'x' }],
    ['/configs/daos.{type}', '/configs/daos.yml', { type: 'yml' }],
    ['/compare/{base}...{head}', '/compare/v1...v2', { base: 'v1', head: 'v2' }],
    ['/x/{id}.json', '/x/a.json.json', { id: 'a.json' }],
  ])('%s takes %s as %j', (template, path, values) => {
    expect({ ...match(template, path) }).toEqual(values);
  });

  it.each([
    ['/pools', '/pools/7'],
    ['/pools/{pool}', '/pools'],
    ['/pools/{pool}', '/Pools/7'],
    ['/configs/daos.{type}', '/configs/daos.'],
    ['/compare/{base}...{head}', '/compare/...v2'],
    ['/x/{id}.json', '/x/.json'],
  ])('%s does not take %s', (template, path) => {
    expect(match(template, path)).toBeUndefined();
  });

  it('a placeholder called like a member of every object is a value like others', () => {
    const values = match('/x/{__proto__}/{constructor}', '/x/1/2')!;
    expect(Object.entries(values)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });
});

describe('matchWithSlashes', () => {
  it('one placeholder takes what is too much, the first that leads to a fit', () => {
    expect({ ...withSlashes('/extra-files/{path}', '/extra-files/a/b/c') }).toEqual({ path: 'a/b/c' });
    expect({ ...withSlashes('/images/{image}/tags/{tag}', '/images/a/b/tags/c') }).toEqual({
      image: 'a/b',
      tag: 'c',
    });
  });

  it('literal segments stay where they are', () => {
    expect(withSlashes('/images/{image}/tags', '/images/a/b/c')).toBeUndefined();
    expect(withSlashes('/pools', '/pools/a')).toBeUndefined();
  });
});

it('a place that query or fragment belong to is no template', () => {
  expect(parseTemplate('/rest?method=x')).toBeUndefined();
  expect(parseTemplate('/#Action=X')).toBeUndefined();
  expect(parseTemplate('/x/{?a,b}')).toBeDefined();
});

it('a path of unreasonable length is not looked at', () => {
  expect(segmentsOf('/a'.repeat(100))).toBeUndefined();
  expect(segmentsOf(`/${'a'.repeat(5000)}`)).toBeUndefined();
});

it('literal segments win over mixed ones, and these over placeholders, from the left', () => {
  const ordered = ['/a/b', '/a/b{x}', '/a/{x}', '/{x}/b'].map((path) => parseTemplate(path)!);
  for (const [index, one] of ordered.slice(1).entries()) {
    expect(compareTemplates(ordered[index]!, one)).toBeLessThan(0);
  }
});
