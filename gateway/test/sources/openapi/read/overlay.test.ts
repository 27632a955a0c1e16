import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/operations/index.ts';
import { DiagnosticLog } from '../../../../src/sources/openapi/diagnostics.ts';
import { applyOverlay } from '../../../../src/sources/openapi/read/overlay.ts';
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

  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['a text by another', { a: { b: 'old' } }, { target: '$.a.b', update: 'new' }, { a: { b: 'new' } }],
    ['an item that is none of both', { a: [1, 2] }, { target: '$.a[1]', update: 3 }, { a: [1, 3] }],
    ['an object by a text', { a: { b: 1 } }, { target: '$.a', update: 'new' }, { a: 'new' }],
    [
      'a member of another type',
      { a: { b: { c: 1 } } },
      { target: '$.a', update: { b: [1] } },
      { a: { b: [1] } },
    ],
    [
      'a list by an object within one',
      { a: { b: [1] } },
      { target: '$.a', update: { b: {} } },
      { a: { b: {} } },
    ],
  ])('replaces %s', async (_what, root, action, expected) => {
    await applyOverlay(root, overlay(action), 'o', new DiagnosticLog());
    expect(root).toEqual(expected);
  });

  it('appends the items of a list, each for itself', async () => {
    const root = { a: [[1]] };
    await applyOverlay(root, overlay({ target: '$.a', update: [[2], 3] }), 'o', new DiagnosticLog());
    expect(root).toEqual({ a: [[1], [2], 3] });
  });

  it('adds no member that would change the prototype', async () => {
    const root: JsonObject = { a: {} };
    const update = JSON.parse('{"__proto__": {"b": 1}, "c": 2}') as JsonObject;
    await applyOverlay(root, overlay({ target: '$.a', update }), 'o', new DiagnosticLog());
    expect(root['a']).toStrictEqual({ c: 2 });
    expect((root['a'] as JsonObject)['b']).toBeUndefined();
  });

  it('removes what is selected', async () => {
    const actions = overlay({ target: "$.paths[*][?(@.operationId == 'b')]", remove: true });
    const { operations } = await describeText(document, { overlay: ['o'] }, { o: actions });
    expect(operations.map((operation) => operation.id)).toEqual(['a']);
  });

  it('removes each once, in whatever order and however often it is selected', async () => {
    const tags = ['p', 'q', 'r', 's'];
    const listed = openapi(get({ operationId: 'a', tags }));
    const actions = overlay({ target: "$.paths['/a'].get.tags[?@ == 'p', ?@ == 'r', 0]", remove: true });
    const { operations } = await describeText(listed, { overlay: 'o' }, { o: actions });
    expect(operations[0]?.tags).toEqual(['q', 's']);
  });

  it('what is appended in several places is changed in one of them only', async () => {
    const own = { name: 'own', in: 'query', schema: { type: 'string' } };
    const two = openapi({ ...get({ parameters: [own] }), ...get({ parameters: [own] }, '/b') });
    const tenant = { name: 'tenant', in: 'query', schema: { type: 'string' } };
    const actions = overlay(
      { target: '$.paths[*].get', update: { parameters: [tenant] } },
      { target: '$.paths[*].get.parameters', update: { ...tenant, name: 'region' } },
      { target: "$.paths['/a'].get.parameters[?@.name == 'tenant']", update: { required: true } },
      { target: "$.paths['/b'].get.parameters[?@.name == 'region']", update: { required: true } },
    );
    const { operations } = await describeText(two, { overlay: 'o' }, { o: actions });
    expect(operations.map(({ input }) => input.required)).toEqual([['tenant'], ['region']]);
  });

  it('leaves the other places alone that share a YAML alias with what it changes', async () => {
    const yaml = `
openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /a:
    get:
      operationId: a
      tags: &tags [x, y]
      parameters: &all
        - &page { name: page, in: query, description: Old, schema: { type: integer } }
  /b:
    get: { operationId: b, tags: *tags, parameters: *all }
  /c:
    get: { operationId: c, tags: *tags, parameters: [*page] }
`;
    const actions = overlay(
      { target: "$.paths['/a'].get.parameters[0]", update: { description: 'New', schema: { minimum: 1 } } },
      { target: "$.paths['/b'].get.tags", update: 'z' },
      { target: "$.paths['/c'].get", update: { tags: ['w'] } },
      { target: "$.paths['/a'].get.tags[0]", remove: true },
      { target: '$.paths[*].get.parameters', update: { name: 'more', in: 'query' } },
    );
    const { operations } = await describeText(yaml, { overlay: 'o' }, { o: actions });
    const old = { type: 'integer', description: 'Old' };
    expect(operations.map(({ tags, input }) => [tags, input.properties])).toEqual([
      [['y'], { page: { type: 'integer', minimum: 1, description: 'New' }, more: {} }],
      [['x', 'y', 'z'], { page: old, more: {} }],
      [['x', 'y', 'w'], { page: old, more: {} }],
    ]);
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
