import { describe, expect, it } from 'vitest';
import type { AzureInvocation } from '../../../src/operations/index.ts';
import { compileHelper } from '../../../src/sources/azure/compile-connector.ts';
import { compileSwagger, fixture, oneOperation, openDocument, readOperation } from './connectors.ts';

const mail = compileSwagger(fixture('mini-mail'));
const chat = compileSwagger(fixture('mini-chat'), 'chat');

const helpers = (...ids: string[]) =>
  Object.fromEntries(
    ids.map((operationId) => [
      `/{connectionId}/${operationId}`,
      {
        get: {
          operationId,
          'x-ms-visibility': 'internal',
          parameters: [
            { name: 'needed', in: 'query', required: true, type: 'string' },
            { name: 'extra', in: 'query', type: 'string' },
          ],
          responses: { 200: { description: 'ok' } },
        },
      },
    ]),
  );

/** One operation beside helpers that need `needed`. */
function withHelpers(operation: object, more: object = {}) {
  const swagger = oneOperation(operation, more) as { paths: object };
  return compileSwagger({ ...swagger, paths: { ...swagger.paths, ...helpers('ListA', 'ListB') } }, 'things');
}

const asked = (parameters: object): object => ({
  name: 'p',
  in: 'query',
  type: 'string',
  'x-ms-dynamic-values': { operationId: 'ListA', 'value-path': 'id', parameters },
});

describe('values that another operation lists', () => {
  it('x-ms-dynamic-values', () => {
    const { invocation, properties } = mail.operation('PutPhoto');
    expect(invocation.choices).toEqual([
      {
        operation: 'ListShelves',
        parameters: {},
        argument: '/shelf',
        kind: 'values',
        items: 'value',
        value: 'Id',
        title: 'Name',
      },
    ]);
    expect(properties.shelf).toMatchObject({
      description: 'Shelf id: Choose a shelf. Values: get_parameter_options.',
    });
  });

  it('x-ms-dynamic-tree, which is preferred, with what opens a node', () => {
    const { invocation } = mail.operation('ListLettersV3');
    expect(invocation.choices).toEqual([
      {
        operation: 'PickerOpen',
        parameters: { kind: { value: 'trays' }, mailbox: { argument: '/mailboxAddress' } },
        argument: '/folder',
        kind: 'tree',
        items: 'value',
        value: 'Id',
        title: 'DisplayName',
        isParent: 'IsFolder',
        browse: { operation: 'PickerBrowse', parameters: { id: { selected: 'Id' } }, items: 'value' },
      },
    ]);
  });

  it('x-ms-dynamic-list inside the items of a list', () => {
    expect(mail.operation('SendLetterV2').invocation.choices).toEqual([
      {
        operation: 'ListShelves',
        parameters: {},
        argument: '/attachments/*/shelf',
        kind: 'list',
        items: 'value',
        value: 'Id',
        title: 'Name',
      },
    ]);
  });

  it('an older extension beside one whose helper does not exist', () => {
    const choices = chat.operation('PostMessage').invocation.choices!;
    expect(choices.map(({ argument, operation, kind }) => [argument, operation, kind])).toEqual([
      ['/room', 'ListRooms', 'values'],
      ['/kind', 'ListKinds', 'values'],
    ]);
    expect(choices[1]!.parameters).toEqual({ room: { argument: '/room' }, style: { value: 'plain' } });
  });

  it('the oldest form of a picker, which the document’s capabilities describe', () => {
    const drawers = mail.operation('ListDrawers');
    // PickerOpen needs a kind, which nobody gives, but that parameter is not named: the connector may refuse it
    expect(drawers.invocation.choices).toEqual([
      {
        operation: 'PickerOpen',
        parameters: { mailbox: { value: 'shared' } },
        argument: '/tray',
        kind: 'tree',
        items: 'value',
        value: 'Id',
        title: 'DisplayName',
        isParent: 'IsFolder',
        browse: { operation: 'PickerBrowse', parameters: { id: { selected: 'Id' } }, items: 'value' },
      },
    ]);
  });

  it('of a list parameter stand for its items', () => {
    const { invocation } = withHelpers({
      parameters: [{ ...asked({ needed: 'x' }), type: 'array', items: { type: 'string' } }],
    }).operation('Act');
    expect(invocation.choices).toMatchObject([{ argument: '/p/*', parameters: { needed: { value: 'x' } } }]);
  });

  it('without an operation, or with one that is not there, cost a diagnostic only', () => {
    const from = mail.operation('ListLettersV3').properties.from!;
    expect(from.description).toBeUndefined();
    expect(mail.document.log.list()).toContainEqual(
      expect.objectContaining({
        code: 'dynamic-unusable',
        severity: 'info',
        message: expect.stringMatching(/\/from .*AadGraph\.GetUsers/),
        pointer: '#/paths/~1{connectionId}~1letters/get',
      }),
    );
    const made = withHelpers({
      parameters: [
        { name: 'p', in: 'query', type: 'string', 'x-ms-dynamic-values': { operationId: 'Gone' } },
      ],
    });
    expect(made.operation('Act').invocation).not.toHaveProperty('choices');
    expect(made.document.log.list()).toMatchObject([
      { message: expect.stringContaining('no operation Gone') },
    ]);
  });

  it('without the path of the values cost a diagnostic only', () => {
    const made = withHelpers({
      parameters: [
        {
          name: 'p',
          in: 'query',
          type: 'string',
          'x-ms-dynamic-values': { operationId: 'ListA', parameters: { needed: 1 } },
        },
      ],
    });
    expect(made.operation('Act').invocation).not.toHaveProperty('choices');
    expect(made.codes()).toEqual(['dynamic-unusable']);
  });
});

describe('what a reference means', () => {
  const body = (schema: object): object => ({ name: 'item', in: 'body', required: true, schema });
  const object = (properties: object): object => ({ type: 'object', properties });
  const needs = (said: unknown, ...more: object[]) => {
    const made = withHelpers({ parameters: [asked({ needed: said }), ...more] });
    return { needed: made.operation('Act').invocation.choices?.[0]?.parameters.needed, codes: made.codes() };
  };
  const text = { type: 'string' };
  const query = (name: string, more: object = {}): object => ({ name, in: 'query', type: 'string', ...more });

  it.each([
    ['a literal', 'x', { value: 'x' }],
    ['a literal object', { a: 1 }, { value: { a: 1 } }],
    ['a value', { value: [1] }, { value: [1] }],
    ['a parameter', { parameter: '$one' }, { argument: '/_one' }],
    ['a parameter in another case', { parameterReference: '$ONE' }, { argument: '/_one' }],
    ['a constant', { parameterReference: 'fixed' }, { value: 7 }],
    ['a member of the opened node', { selectedItemValuePath: 'Id' }, { selected: 'Id' }],
    ['body/member', { parameterReference: 'body/a' }, { argument: '/a' }],
    ['body/member/member', { parameterReference: 'body/deep/b~c' }, { argument: '/deep/b~0c' }],
    ['the body parameter’s name', { parameterReference: 'item/deep/b~c' }, { argument: '/deep/b~0c' }],
    ['parameter, then body', { parameterReference: 'item/body/a' }, { argument: '/a' }],
    ['a member without its path', { parameter: 'b~c' }, { argument: '/deep/b~0c' }],
    ['a member that is fixed', { parameterReference: 'body/deep/kind' }, { value: 'leaf' }],
    ['a member of list items', { parameterReference: 'body/rows/id' }, { argument: '/rows/*/id' }],
  ])('%s', (_name, said, parameter) => {
    const found = needs(
      said,
      query('$one'),
      query('fixed', { default: 7, 'x-ms-visibility': 'internal' }),
      body(
        object({
          a: text,
          deep: object({ 'b~c': text, kind: { ...text, default: 'leaf', 'x-ms-visibility': 'internal' } }),
          rows: { type: 'array', items: object({ id: text }) },
        }),
      ),
    );
    expect(found).toEqual({ needed: parameter, codes: [] });
  });

  it('a body that stays whole is entered below its argument', () => {
    const whole = { type: 'object', additionalProperties: true, properties: { a: text } };
    expect(needs({ parameterReference: 'body/a' }, body(whole)).needed).toEqual({ argument: '/body/a' });
  });

  it('an argument that took another name is meant by its name on the wire', () => {
    const found = needs({ parameterReference: 'body/same' }, query('same'), body(object({ same: text })));
    expect(found.needed).toEqual({ argument: '/body_same' });
  });

  it('nothing: the choice is dropped where the helper needs it', () => {
    const found = needs({ parameterReference: 'nowhere' });
    expect(found).toEqual({ needed: undefined, codes: ['dynamic-unusable'] });
  });

  it('nothing, or something that is never sent: an optional parameter is left out', () => {
    const made = withHelpers({
      parameters: [
        asked({ needed: 'x', extra: { parameterReference: 'nowhere' }, unknown: 1 }),
        {
          name: 'q',
          in: 'query',
          type: 'string',
          'x-ms-dynamic-values': {
            operationId: 'ListB',
            'value-path': 'id',
            parameters: { needed: { parameter: 'hidden' }, extra: null },
          },
        },
        query('hidden', { 'x-ms-visibility': 'internal' }),
      ],
    });
    expect(made.operation('Act').invocation.choices).toMatchObject([
      { argument: '/p', parameters: { needed: { value: 'x' } } },
      { argument: '/q', parameters: {} },
    ]);
    expect(made.operation('Act').invocation.choices![0]!.parameters).not.toHaveProperty('unknown');
  });
});

describe('schemas that another operation tells', () => {
  it('of the whole body: one open argument, and where its schema is told', () => {
    const { invocation, properties, operation, bindings } = chat.operation('PostMessage');
    expect(invocation.shapes).toEqual([
      {
        operation: 'GetMessageSchema',
        parameters: { kind: { argument: '/kind' } },
        argument: '/body',
        schema: 'schema',
      },
    ]);
    expect(bindings.at(-1)).toMatchObject({ arg: 'body', name: '' });
    expect(properties.body).toMatchObject({ description: 'Its schema now: get_parameter_options.' });
    expect(operation.input.$defs).toMatchObject({
      DynamicMessage: { type: 'object', additionalProperties: true },
    });
  });

  it('of a member, whose reference names the body parameter', () => {
    const { invocation, properties } = chat.operation('PostCard');
    expect(invocation.shapes).toEqual([
      {
        operation: 'GetMessageSchema',
        parameters: { kind: { argument: '/kind' } },
        argument: '/fields',
        schema: 'schema',
      },
    ]);
    expect(Object.keys(properties)).toEqual(['board', 'kind', 'fields', 'rows']);
    expect(invocation.choices).toMatchObject([
      { argument: '/rows/*/field', parameters: { board: { argument: '/board' } } },
    ]);
  });

  it('of a body with members that are known: it stays whole', () => {
    const made = withHelpers({
      parameters: [
        {
          name: 'item',
          in: 'body',
          required: true,
          description: 'The thing',
          schema: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' } },
            'x-ms-dynamic-properties': { operationId: 'ListA', parameters: { needed: { value: 1 } } },
          },
        },
      ],
    });
    const { properties, invocation } = made.operation('Act');
    expect(properties).toEqual({
      body: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' } },
        additionalProperties: true,
        description: 'The thing. Its schema now: get_parameter_options.',
      },
    });
    expect(invocation.shapes).toMatchObject([{ argument: '/body', operation: 'ListA' }]);
  });

  it('of answers: nothing is promised', () => {
    expect(chat.operation('PostMessage').operation).not.toHaveProperty('output');
    expect(chat.operation('ListRooms').operation.output).toMatchObject({
      properties: { value: { type: 'array' } },
    });
  });
});

describe('compileHelper', () => {
  const owner = { source: 'office', connection: 'work', displayName: 'Work' };
  const document = openDocument(fixture('mini-mail'), 'parcelmail');

  it('compiles hidden operations, triggers and plumbing alike', () => {
    const helper = compileHelper(document, owner, 'PickerOpen')!;
    expect(helper).toMatchObject({ id: 'work.PickerOpen', source: 'office' });
    expect(readOperation(helper)).toMatchObject({
      invocation: { api: 'parcelmail', connection: 'work', path: '/picker', method: 'GET' },
      required: ['kind'],
    });
    const answer = compileHelper(document, owner, 'ReceiveAnswer')!;
    expect((answer.invocation as AzureInvocation).path).toBe('/{subscribedConnectionId}/answer');
    expect(compileHelper(document, owner, 'OnNewLetter')).toBeDefined();
    expect(compileHelper(document, owner, 'DropSubscription')).toBeDefined();
  });

  it('looks into schemas that refer to each other without losing itself', () => {
    const names = Array.from({ length: 25 }, (_, index) => `S${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }]));
    const definitions = Object.fromEntries(names.map((name) => [name, { type: 'object', properties }]));
    const parameters = [{ name: 'b', in: 'body', schema: { type: 'object', properties } }];
    const { properties: compiled } = withHelpers({ parameters }, { definitions }).operation('Act');
    expect(Object.keys(compiled)).toEqual(names);
  });

  it('knows no others, and none that cannot be called', () => {
    expect(compileHelper(document, owner, 'Nothing')).toBeUndefined();
    expect(compileHelper(document, owner, 'toString')).toBeUndefined();
    const broken = openDocument(
      oneOperation({ parameters: [{ $ref: '#/parameters/gone' }], consumes: ['multipart/form-data'] }),
      'x',
    );
    expect(() => compileHelper(broken, owner, 'Act')).not.toThrow();
  });
});
