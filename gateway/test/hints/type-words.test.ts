import { describe, expect, it } from 'vitest';
import { plainType } from '../../src/hints/index.ts';

describe('type names of Java and Kotlin in plain words', () => {
  it.each([
    ['String', 'text'],
    ['Int', 'integer'],
    ['Long?', 'integer or null'],
    ['Boolean', 'true or false'],
    ['java.time.Instant', 'date and time'],
    ['collections.Set<String>', 'list of text'],
    ['collections.List<collections.List<Int>>', 'list of list of integer'],
    ['array<string>', 'list of text'],
    [
      'collections.Map<String, collections.List<io.croit.ceph.model.CephReleaseCount>>',
      'map of list of ceph release count',
    ],
    ['collections.List<io.croit.auth.Role.RoleEnum>?', 'list of role enum or null'],
    ['io.croit.resources.model.PaginationResponse<T>', 'pagination response'],
    ['OptionalPaginationResponse<ApiTokenInfo>', 'optional pagination response of api token info'],
    ['String (secret token)', 'text (secret token)'],
    ['ManagedThreadTask or null', 'managed thread task or null'],
  ])('%s is %s', (type, words) => expect(plainType(type)).toBe(words));

  it.each(['text/plain', 'a list of all pools, sorted', 'Map<String', '', '<<<>>>', '404: none'])(
    '%j is no type and stays as it is',
    (text) => expect(plainType(text)).toBe(text),
  );

  it('what is nested without end costs no time', () => {
    const deep = `${'List<'.repeat(50_000)}Int${'>'.repeat(50_000)}`;
    expect(plainType(deep)).toBe(deep);
    expect(plainType(`${'List<'.repeat(20)}Int${'>'.repeat(20)}`)).toContain('List<');
  });
});
