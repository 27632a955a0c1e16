import { describe, expect, it } from 'vitest';
import { assignArgumentNames, sanitizeArgumentName } from '../../../src/operations/invocation/arguments.ts';

const VALID = /^[A-Za-z0-9_.-]{1,64}$/;

describe('sanitizeArgumentName', () => {
  it.each([
    ['id', 'id'],
    ['user.name-1_x', 'user.name-1_x'],
    ['$filter', '_filter'],
    ['filter[name]', 'filter_name_'],
    ['a  b', 'a_b'],
    ['__keep', '__keep'],
    ['.$x', '_x'],
    ['constructor', 'constructor_'],
    ['__proto__', '__proto___'],
  ])('%s → %s', (name, expected) => {
    expect(sanitizeArgumentName(name)).toBe(expected);
  });

  it('gives names without any usable character a hash, so that they differ', () => {
    const [a, b] = [sanitizeArgumentName('名前'), sanitizeArgumentName('年齢')];
    expect(a).toMatch(/^argument_[0-9a-f]{8}$/);
    expect(a).not.toBe(b);
  });

  it('cuts at 64 characters and ends in a hash of the whole name', () => {
    const long = 'x'.repeat(70);
    expect(sanitizeArgumentName(long)).toMatch(/^x{55}_[0-9a-f]{8}$/);
    expect(sanitizeArgumentName(`${long}y`)).not.toBe(sanitizeArgumentName(`${long}z`));
    expect(sanitizeArgumentName('')).toMatch(VALID);
  });
});

describe('assignArgumentNames', () => {
  it('leaves the first its name and prefixes the others with their place', () => {
    expect(
      assignArgumentNames([
        { place: 'path', name: 'id' },
        { place: 'query', name: 'id' },
        { place: 'header', name: 'id' },
        { place: 'body', name: 'id' },
      ]),
    ).toEqual(['id', 'query_id', 'header_id', 'body_id']);
  });

  it('numbers what is taken even so', () => {
    expect(
      assignArgumentNames([
        { place: 'query', name: 'a b' },
        { place: 'query', name: 'a$b' },
        { place: 'query', name: 'a#b' },
        { place: 'body', name: 'query_a_b' },
      ]),
    ).toEqual(['a_b', 'query_a_b', 'query_a_b_2', 'body_query_a_b']);
  });

  it('keeps every name valid and unique, however long', () => {
    const requests = Array.from({ length: 20 }, () => ({ place: 'body' as const, name: 'n'.repeat(64) }));
    const names = assignArgumentNames(requests);
    expect(new Set(names).size).toBe(20);
    for (const name of names) expect(name).toMatch(VALID);
  });
});
