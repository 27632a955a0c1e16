import { describe, expect, it } from 'vitest';
import { buildRequest } from '../../../src/executors/http/index.ts';
import type { ArgumentRule, Binding, JsonObject } from '../../../src/operations/index.ts';
import { connectionOf, operationOf, refusal } from './operation-under-test.ts';

const bindings = ['cursor', 'size', 'tag'].map((name): Binding => ({ in: 'query', name, arg: name }));
const queryOf = (rules: readonly ArgumentRule[], args: JsonObject) =>
  buildRequest(operationOf({ bindings, rules }), args, connectionOf()).url.split('?')[1];

describe('argument rules', () => {
  const alone = [{ alone: 'cursor', without: ['size', 'tag'] }];
  it('let one go alone, or the others', () => {
    expect(queryOf(alone, { cursor: 'c' })).toBe('cursor=c');
    expect(queryOf(alone, { size: 1, tag: 'x' })).toBe('size=1&tag=x');
    expect(queryOf(alone, { cursor: 'c', size: null })).toBe('cursor=c');
    expect(() => queryOf(alone, { cursor: 'c', tag: 'x' })).toThrow(refusal('arguments_invalid', '/tag'));
  });

  const one = [{ exactlyOne: ['size', 'tag'] }];
  it('want exactly one of several', () => {
    expect(queryOf(one, { tag: 'x', cursor: 'c' })).toBe('cursor=c&tag=x');
    expect(() => queryOf(one, { cursor: 'c' })).toThrow(refusal('arguments_invalid'));
    expect(() => queryOf(one, { size: 1, tag: 'x' })).toThrow(refusal('arguments_invalid', '/tag'));
  });
});
