import { describe, expect, it } from 'vitest';
import type { HttpInvocation, JsonObject } from '../../../../src/operations/index.ts';
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

/** What an overlay of that version makes of a document, and the codes of what it reports. */
async function applied(version: unknown, root: JsonObject, actions: readonly object[], more: object = {}) {
  const log = new DiagnosticLog();
  await applyOverlay(root, { overlay: version, actions, ...more }, 'o', log);
  return {
    root,
    codes: log.list().map(({ code }) => code),
    messages: log.list().map(({ message }) => message),
  };
}

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
    ['an action that does nothing', overlay({ target: '$.info' }), 'overlay-invalid'],
    ['an action that does not remove', overlay({ target: '$.info', remove: false }), 'overlay-invalid'],
    [
      'another major version',
      { overlay: '2.0.0', actions: [{ target: '$.paths', remove: true }] },
      'overlay-invalid',
    ],
  ])('%s is reported and changes nothing', async (_what, actions, code) => {
    const { operations, diagnostics } = await describeText(document, { overlay: 'o' }, { o: actions });
    expect(operations).toHaveLength(2);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
  });

  it('one that cannot be read fails: the operator asked for it', async () => {
    await expect(describeText(document, { overlay: 'gone' })).rejects.toThrow('no such file');
  });
});

describe('Overlay 1.1', () => {
  it('moves a path: makes it, copies the other into it, and removes that one', async () => {
    const actions = overlay(
      { target: '$.paths', update: { '/new': {} } },
      { target: "$.paths['/new']", copy: "$.paths['/b']" },
      { target: "$.paths['/b']", remove: true },
    );
    const { operations, diagnostics } = await describeText(document, { overlay: 'o' }, { o: actions });
    expect(diagnostics).toEqual([]);
    expect(operations.map(({ id, invocation }) => [id, (invocation as HttpInvocation).path])).toEqual([
      ['a', '/a'],
      ['b', '/new'],
    ]);
  });

  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'an object into several, each its own',
      { a: { x: [1] }, b: { y: 2 }, c: {} },
      { target: "$['b', 'c']", copy: '$.a' },
      { a: { x: [1] }, b: { y: 2, x: [1] }, c: { x: [1] } },
    ],
    [
      'a list behind a list',
      { a: [1], b: [2, 3] },
      { target: '$.a', copy: '$.b' },
      { a: [1, 2, 3], b: [2, 3] },
    ],
    ['a list behind itself', { a: [1, 2] }, { target: '$.a', copy: '$.a' }, { a: [1, 2, 1, 2] }],
    ['a text behind a list', { a: [1], b: 'x' }, { target: '$.a', copy: '$.b' }, { a: [1, 'x'], b: 'x' }],
    ['a text over a text', { a: 'old', b: 'new' }, { target: '$.a', copy: '$.b' }, { a: 'new', b: 'new' }],
    [
      'what contains the target',
      { a: { b: {}, c: 1 } },
      { target: '$.a.b', copy: '$.a' },
      { a: { b: { b: {}, c: 1 }, c: 1 } },
    ],
  ])('copies %s', async (_what, root, action, expected) => {
    expect(await applied('1.1.0', root, [action])).toMatchObject({ root: expected, codes: [] });
  });

  it('changes what was copied in one place alone', async () => {
    const root = { a: { x: [1] }, b: {} };
    const actions = [
      { target: '$.b', copy: '$.a' },
      { target: '$.b.x', update: 2 },
    ];
    expect((await applied('1.1.0', root, actions)).root).toEqual({ a: { x: [1] }, b: { x: [1, 2] } });
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    ['a copy of nothing', { a: {} }, { target: '$.a', copy: '$.none' }, '$.none selects 0 places'],
    ['a copy of several', { a: {}, b: 1, c: 2 }, { target: '$.a', copy: "$['b', 'c']" }, 'selects 2 places'],
    ['a copy by no text', { a: {} }, { target: '$.a', copy: 1 }, 'copy is a JSONPath'],
    ['a copy by no JSONPath', { a: {} }, { target: '$.a', copy: 'a' }, 'not understood'],
    ['an update beside a copy', { a: {} }, { target: '$.a', copy: '$', update: {} }, 'one of update, copy'],
    ['an object over a text', { a: 'old', b: {} }, { target: '$.a', copy: '$.b' }, '#/a'],
    ['a text over an object', { a: {} }, { target: '$.a', update: 'new' }, '#/a'],
    [
      'a list over an object within one',
      { a: { b: { c: 1 } }, d: 1 },
      { target: '$.a', update: { d: 1, b: [1] } },
      '#/a/b',
    ],
    [
      'what fits one of two places',
      { a: { b: 1 }, c: { b: {} } },
      { target: "$['a', 'c']", update: { b: 2 } },
      '#/c/b',
    ],
  ])('%s is reported and changes nothing', async (_what, root, action, said) => {
    const before = structuredClone(root);
    const { codes, messages } = await applied('1.1.0', root, [action]);
    expect(root).toEqual(before);
    expect(codes).toEqual(['overlay-invalid']);
    expect(messages[0]).toContain(said);
  });

  it('a version that YAML reads as a number is that version', async () => {
    const action = { target: '$.a', update: 'new' };
    expect(await applied(1, { a: {} }, [action])).toMatchObject({ root: { a: 'new' }, codes: [] });
    expect(await applied(1.1, { a: {} }, [action])).toMatchObject({ codes: ['overlay-invalid'] });
  });

  it('a copy of what is too deep is reported', async () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 50_000; level++) deep = { a: deep };
    const { codes } = await applied('1.1.0', { deep, b: {} }, [{ target: '$.b', copy: '$.deep' }]);
    expect(codes).toEqual(['overlay-invalid']);
  });

  it('copies that double what is there end before they fill the memory', async () => {
    const actions = Array.from({ length: 60 }, (_, index) => [
      { target: '$', update: { [`n${index}`]: {} } },
      { target: `$.n${index}`, copy: '$' },
    ]).flat();
    const { codes, messages } = await applied('1.1.0', { a: 1 }, actions);
    expect(codes).toContain('overlay-invalid');
    expect(messages.join()).toContain('1,000,000');
  });
});

describe('Overlay 1.2', () => {
  const components = {
    actions: {
      'not/found': { description: 'Errors', fields: { update: { 404: { description: 'Not found' } } } },
      gone: { fields: { remove: true, target: '$.a' } },
      copied: { fields: { copy: '$.c' } },
    },
  };
  const ref = (name: string) => ({ $ref: `#/components/actions/${name}` });

  it('an action of its components is applied where each reference says', async () => {
    const root = { a: {}, b: { 200: {} }, c: { d: 1 }, e: 1 };
    const actions = [
      { ...ref('not~1found'), target: "$['a', 'b']" },
      { ...ref('gone'), target: '$.e' },
      { ...ref('copied'), target: '$.a', description: 'here' },
      { ...ref('not%7E1found'), target: '$.c', update: { own: true } },
    ];
    const known = { 404: { description: 'Not found' } };
    expect(await applied('1.2.0', root, actions, { components })).toMatchObject({
      root: { a: { ...known, d: 1 }, b: { 200: {}, ...known }, c: { d: 1, own: true } },
      codes: [],
    });
    expect(root).not.toHaveProperty('e');
    expect(root.c).not.toHaveProperty('404');
  });

  it.each<[string, object]>([
    ['nothing', ref('none')],
    ['another document', { $ref: 'o2#/components/actions/gone' }],
    ['another part', { $ref: '#/actions/0' }],
    ['what no text is', { $ref: 1 }],
    ['a member that every object has', ref('constructor')],
  ])('a reference to %s is reported and changes nothing', async (_what, reference) => {
    const root = { a: 1 };
    const { codes } = await applied('1.2.0', root, [{ ...reference, target: '$.a' }], { components });
    expect([root, codes]).toEqual([{ a: 1 }, ['overlay-invalid']]);
  });
});
