import { describe, expect, it } from 'vitest';
import { withFixedValues } from '../../../src/operations/index.ts';
import { compileSwagger, fixture, oneOperation } from './connectors.ts';

const mail = compileSwagger(fixture('mini-mail'));
const internal = { 'x-ms-visibility': 'internal' };
const compiled = (operation: object, more: object = {}) =>
  compileSwagger(oneOperation(operation, more), 'things');
const withBody = (schema: object, more: object = {}) =>
  compiled({ parameters: [{ name: 'thing', in: 'body', required: true, schema }] }, more);

describe('internal parameters', () => {
  it('with a default are sent and not asked for', () => {
    const { binding, properties } = mail.operation('ListLettersV3');
    expect(binding('skip')).toEqual({ const: 0, in: 'query', name: 'skip' });
    expect(properties).not.toHaveProperty('skip');
  });

  it('without a default and not required are neither asked for nor sent, a misspelt mark included', () => {
    const { binding, properties } = mail.operation('ListLettersV3');
    expect(binding('trace')).toBeUndefined();
    expect(properties).not.toHaveProperty('trace');
  });

  it('that are required and have no default are asked for, with a diagnostic', () => {
    const { required, binding } = mail.operation('SealBox');
    expect(required).toContain('api-key-id');
    expect(binding('api-key-id')).toMatchObject({ arg: 'api-key-id', in: 'header' });
    const said = mail.document.log.list().find(({ code }) => code === 'internal-without-default');
    expect(said).toMatchObject({ severity: 'info', message: expect.stringContaining('api-key-id') });
    expect(said?.pointer).toMatch(/\/parameters\/1$/);
  });
});

describe('internal members of a body', () => {
  it('at its root are constants', () => {
    const { binding, properties } = mail.operation('SendLetterV2');
    expect(binding('format')).toMatchObject({ const: 'html', in: 'body' });
    expect(properties).not.toHaveProperty('format');
  });

  it('inside it are fixed where their parent is given, in lists for each item', () => {
    const { invocation, properties, operation } = mail.operation('SendLetterV2');
    expect(invocation.fixed).toEqual([
      { argument: '/body/contentType', value: 'HTML' },
      { argument: '/attachments/*/disposition', value: 'inline' },
    ]);
    expect(properties.body).toMatchObject({ required: ['content'] });
    expect(Object.keys(properties.body!.properties as object)).toEqual(['content']);
    const attachment = (operation.input.$defs as Record<string, { properties: object }>).Attachment!;
    expect(Object.keys(attachment.properties)).toEqual(['name', 'content', 'shelf']);
    const args = { to: 'a', body: { content: 'x' }, attachments: [{ name: 'n' }, { name: 'm' }] };
    expect(withFixedValues(args, invocation.fixed)).toEqual({
      to: 'a',
      body: { content: 'x', contentType: 'HTML' },
      attachments: [
        { name: 'n', disposition: 'inline' },
        { name: 'm', disposition: 'inline' },
      ],
    });
  });

  it('that make up a whole object are sent as that object', () => {
    const { binding, properties } = mail.operation('SendLetterV2');
    expect(binding('envelope')).toMatchObject({ const: { colour: 'white', size: 5 }, in: 'body' });
    expect(properties).not.toHaveProperty('envelope');
  });

  it('are found behind references and beside them', () => {
    const { operation } = withBody(
      {
        type: 'object',
        properties: {
          name: { type: 'string' },
          settings: {
            type: 'object',
            properties: {
              seen: { type: 'string' },
              mode: { $ref: '#/definitions/Mode' },
              other: { $ref: '#/definitions/Plain', 'x-ms-visibility': 'internal', default: 3 },
            },
          },
        },
      },
      {
        definitions: {
          Mode: { type: 'string', default: 'slow', ...internal },
          Plain: { type: 'integer' },
        },
      },
    );
    const { invocation, properties } = operation('Act');
    expect(invocation.fixed).toEqual([
      { argument: '/settings/mode', value: 'slow' },
      { argument: '/settings/other', value: 3 },
    ]);
    expect(Object.keys(properties.settings!.properties as object)).toEqual(['seen']);
  });

  it('of a body that stays whole are fixed below its argument', () => {
    const { invocation, properties } = withBody({
      type: 'object',
      additionalProperties: true,
      properties: { name: { type: 'string' }, kind: { type: 'string', default: 'a/b', ...internal } },
    }).operation('Act');
    expect(Object.keys(properties)).toEqual(['body']);
    expect(invocation.fixed).toEqual([{ argument: '/body/kind', value: 'a/b' }]);
  });

  it('that are the whole body are the body', () => {
    const { bindings, properties } = withBody({
      type: 'object',
      properties: { kind: { type: 'string', default: 'x', ...internal } },
    }).operation('Act');
    expect(properties).toEqual({});
    expect(bindings).toEqual([{ in: 'body', name: 'kind', contentType: 'application/json', const: 'x' }]);
  });

  it('without a default are left out, and asked for where they are required', () => {
    const made = withBody({
      type: 'object',
      properties: {
        name: { type: 'string' },
        hidden: { type: 'string', ...internal },
        inner: {
          type: 'object',
          required: ['needed'],
          properties: { needed: { type: 'string', ...internal }, unseen: { type: 'string', ...internal } },
        },
      },
    });
    const { properties, bindings } = made.operation('Act');
    expect(Object.keys(properties)).toEqual(['name', 'inner']);
    expect(bindings.map(({ name }) => name)).toEqual(['name', 'inner']);
    expect(Object.keys(properties.inner!.properties as object)).toEqual(['needed']);
    expect(made.document.log.list()).toMatchObject([{ code: 'internal-without-default' }]);
  });

  it('of a schema inside itself end', () => {
    const { invocation } = withBody(
      { $ref: '#/definitions/Node' },
      {
        definitions: {
          Node: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              kind: { type: 'string', default: 'leaf', ...internal },
              next: { $ref: '#/definitions/Node' },
            },
          },
        },
      },
    ).operation('Act');
    expect(invocation.bindings).toContainEqual({
      const: 'leaf',
      in: 'body',
      name: 'kind',
      contentType: 'application/json',
    });
  });
});

describe('withFixedValues', () => {
  const fixed = [{ argument: '/a/b~1c', value: 1 }];

  it('leaves what is given, what has no parent, and the arguments themselves as they are', () => {
    const args = { a: { 'b/c': 2 } };
    expect(withFixedValues(args, fixed)).toBe(args);
    expect(withFixedValues({ x: 1 }, fixed)).toEqual({ x: 1 });
    const open = { a: {} };
    expect(withFixedValues(open, fixed)).toEqual({ a: { 'b/c': 1 } });
    expect(open).toEqual({ a: {} });
    expect(withFixedValues(args, undefined)).toBe(args);
  });

  it('ignores parents of another form and names that are no members', () => {
    expect(withFixedValues({ a: 'text' }, fixed)).toEqual({ a: 'text' });
    expect(withFixedValues({ a: {} }, [{ argument: '/a/*/b', value: 1 }])).toEqual({ a: {} });
    const polluted = withFixedValues({ a: {} }, [{ argument: '/a/__proto__', value: { b: 1 } }]);
    expect(Object.getPrototypeOf(polluted.a)).toBe(Object.prototype);
  });
});
