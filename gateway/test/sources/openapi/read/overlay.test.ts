import { describe, expect, it } from 'vitest';
import { describeText, get, openapi } from '../describing.ts';

const overlay = (...actions: object[]): object => ({
  overlay: '1.0.0',
  info: { title: 'O', version: '1' },
  actions,
});
const document = openapi({
  ...get({ operationId: 'a', description: 'Old', tags: ['x'] }),
  ...get({ operationId: 'b' }, '/b'),
});

describe('Overlay 1.0', () => {
  it('updates merge objects, append to lists and replace texts', async () => {
    const actions = overlay(
      { target: "$.paths['/a'].get", update: { description: 'New', 'x-toolcrib-access': 'write' } },
      { target: "$.paths['/a'].get.tags", update: 'y' },
    );
    const { operations } = await describeText(document, { overlay: 'o' }, { o: actions });
    expect(operations[0]).toMatchObject({ description: 'New', tags: ['x', 'y'], access: 'write' });
  });

  it('removes what is selected', async () => {
    const actions = overlay({ target: "$.paths[*][?(@.operationId == 'b')]", remove: true });
    const { operations } = await describeText(document, { overlay: ['o'] }, { o: actions });
    expect(operations.map((operation) => operation.id)).toEqual(['a']);
  });

  it('several are applied in order and belong to the fingerprint', async () => {
    const one = overlay({ target: "$.paths['/a'].get", update: { operationId: 'one' } });
    const two = overlay(
      { target: '$.paths[*].get[?@ == "one"]', remove: true },
      { target: "$.paths['/a'].get", update: { operationId: 'two' } },
    );
    const both = await describeText(document, { overlay: ['1', '2'] }, { 1: one, 2: two });
    expect(both.operations[0]?.id).toBe('two');
    const first = await describeText(document, { overlay: ['1'] }, { 1: one });
    expect(first.fingerprint).not.toBe(both.fingerprint);
  });

  it.each<[string, object, string]>([
    ['an action without target', overlay({ update: {} }), 'overlay-invalid'],
    ['a target that is no JSONPath', overlay({ target: 'paths', remove: true }), 'overlay-invalid'],
    ['a target that selects nothing', overlay({ target: '$.none', remove: true }), 'overlay-unmatched'],
    ['something else', { a: 1 }, 'overlay-invalid'],
  ])('%s is reported and changes nothing', async (_what, actions, code) => {
    const { operations, diagnostics } = await describeText(document, { overlay: 'o' }, { o: actions });
    expect(operations).toHaveLength(2);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
  });

  it('one that cannot be read fails: the operator asked for it', async () => {
    await expect(describeText(document, { overlay: 'gone' })).rejects.toThrow('no such file');
  });
});
