import { describe, expect, it } from 'vitest';
import { compileSwagger, fixture, oneOperation } from './connectors.ts';

const mail = compileSwagger(fixture('mini-mail'));
const act = (operation: object, more: object = {}, path?: string) =>
  compileSwagger(oneOperation(operation, more, path), 'things').operation('Act');
const body = (schema: object, more: object = {}) => ({
  name: 'body',
  in: 'body',
  required: true,
  schema,
  ...more,
});

describe('an operation of a connector', () => {
  it('is a request to its API, through its connection', () => {
    const { operation, invocation } = mail.operation('SendLetterV2');
    expect(operation).toMatchObject({
      id: 'mail.SendLetterV2',
      source: 'office',
      name: 'mail_send_letter_v2',
      title: 'Send a letter (V2)',
      description: '[Parcel Mail] Send a letter (V2)\n\nPuts one letter into the outgoing tray.',
      access: 'write',
      tags: ['Letters'],
      importance: 'important',
      confirmation: 'The connector asks for a confirmation.',
    });
    expect(invocation).toMatchObject({
      kind: 'azure',
      api: 'mail',
      connection: 'mail',
      operationId: 'SendLetterV2',
      method: 'POST',
      path: '/v2/letters',
    });
    expect(invocation).not.toHaveProperty('servers');
    expect(invocation).not.toHaveProperty('security');
    expect(Object.isFrozen(operation)).toBe(true);
  });

  it('has the API as tag where the document names none, and its rank', () => {
    expect(mail.operation('SealBox').operation).toMatchObject({ tags: ['Parcel Mail'] });
    expect(mail.operation('SealBox').operation).not.toHaveProperty('importance');
    expect(mail.operation('DeletePhoto').operation).toMatchObject({
      importance: 'advanced',
      access: 'delete',
    });
  });

  it('says that it is deprecated, and what replaces it; a description that repeats the summary is left out', () => {
    expect(mail.operation('ListDrawers').operation).toMatchObject({
      deprecated: true,
      description: '[Parcel Mail] List drawers\n\nDeprecated. Use ListLockers of Lockers instead.',
    });
  });

  it('has its capabilities in the tool’s metadata', () => {
    const chat = compileSwagger(fixture('mini-chat'), 'chat');
    expect(chat.operation('PostMessage').operation.meta).toEqual({
      'toolcrib/capabilities': { chunkTransfer: true },
    });
  });

  it('never asks for the connection, wherever the parameter is declared', () => {
    for (const { input, invocation } of mail.operations) {
      expect(Object.keys(input.properties as object)).not.toContain('connectionId');
      expect(JSON.stringify(invocation)).not.toContain('connectionId');
    }
    expect(mail.codes()).not.toContain('path-parameter-unused');
  });

  it('keeps paths without the leading placeholder, and a placeholder of the same name elsewhere', () => {
    const parameters = [{ name: 'connectionId', in: 'path', required: true, type: 'string' }];
    expect(act({}, {}, '/whr').invocation.path).toBe('/whr');
    expect(act({ parameters }, {}, '/{connectionId}').invocation.path).toBe('/');
    expect(act({ parameters }, {}, '/{connectionIdentity}/x').invocation.path).toBe(
      '/{connectionIdentity}/x',
    );
    const other = act({ parameters }, {}, '/gateways/{connectionId}/x');
    expect(other.invocation.path).toBe('/gateways/{connectionId}/x');
    expect(other.required).toEqual(['connectionId']);
    expect(
      act({ parameters: [{ name: 'connectionId', in: 'query', type: 'string' }] }).properties,
    ).toHaveProperty('connectionId');
  });

  it('takes path parameters of the path item, keeps parentheses and quotes, and marks double encoding', () => {
    const photo = mail.operation('PutPhoto');
    expect(photo.invocation.path).toBe("/shelves({shelf})/boxes('{box}')/photo");
    expect(photo.binding('shelf')).toEqual({ arg: 'shelf', in: 'path', name: 'shelf', encoding: 'double' });
    expect(photo.binding('box')).toEqual({ arg: 'box', in: 'path', name: 'box' });
  });

  it('binds header parameters', () => {
    const { binding, required } = mail.operation('DeletePhoto');
    expect(binding('If-Match')).toEqual({ arg: 'If-Match', in: 'header', name: 'If-Match' });
    expect(required).toContain('If-Match');
  });

  it('binds form fields and files', () => {
    const { invocation, binding, properties } = mail.operation('UploadParcel');
    expect(invocation.body).toEqual({
      contentType: 'multipart/form-data',
      required: true,
      encoding: { content: { file: true } },
    });
    expect(binding('content')).toMatchObject({ arg: 'content', in: 'body' });
    expect(binding('version')).toMatchObject({ const: '2', in: 'body' });
    expect(properties.content).toMatchObject({ contentEncoding: 'base64' });
  });

  it('takes a body without properties as one argument', () => {
    const { binding, properties, invocation, operation } = mail.operation('ReplaceStamps');
    expect(binding('')).toEqual({ arg: 'body', in: 'body', name: '', contentType: 'application/json' });
    expect(properties.body).toMatchObject({ type: 'array', description: 'Every stamp' });
    expect(invocation.wrapsResult).toBe(true);
    expect(operation.output).toMatchObject({ properties: { result: { type: 'array' } } });
  });

  it.each([
    ['string', { type: 'string' }],
    ['integer', { type: 'integer' }],
    ['object', { type: 'object' }],
    ['any', {}],
  ])('takes a body that is any %s whole', (_name, schema) => {
    const { bindings, required } = act({ parameters: [body(schema)] });
    expect(bindings).toEqual([{ arg: 'body', in: 'body', name: '', contentType: 'application/json' }]);
    expect(required).toEqual(['body']);
  });

  it('keeps nested schemas as they are', () => {
    const { properties, operation } = mail.operation('SendLetterV2');
    expect(properties.body).toMatchObject({ type: 'object', properties: { content: { type: 'string' } } });
    expect(properties.attachments).toMatchObject({ type: 'array', items: { $ref: '#/$defs/Attachment' } });
    expect(operation.input.$defs).toMatchObject({
      Attachment: { required: ['name', 'content'], properties: { content: { contentEncoding: 'base64' } } },
    });
  });

  it('tells equal names apart by their place, and lets null be null', () => {
    const { properties, binding } = mail.operation('SealBox');
    expect(Object.keys(properties)).toEqual(['id', 'api-key-id', 'body_id', 'note']);
    expect(mail.operation('SealBox').bindings).toContainEqual({
      arg: 'body_id',
      in: 'body',
      name: 'id',
      contentType: 'application/json',
    });
    expect(properties.note).toMatchObject({ type: ['string', 'null'] });
    expect(binding('ticket')).toBeUndefined();
  });

  it('sanitises argument names and keeps the names on the wire', () => {
    const { binding, properties } = mail.operation('ListLettersV3');
    expect(binding('$filter')).toMatchObject({ arg: '_filter', in: 'query' });
    expect(properties._top).toMatchObject({ type: 'integer', default: 10 });
  });

  describe('bytes as body', () => {
    it('is base64 text, with the media type that the Content-Type header fixes', () => {
      const { invocation, properties, binding } = mail.operation('PutPhoto');
      expect(invocation.body).toEqual({ contentType: 'image/jpeg', required: true, binary: true });
      expect(properties.body).toEqual({
        type: 'string',
        contentEncoding: 'base64',
        description: 'File content, base64',
      });
      expect(binding('Content-Type')).toEqual({ in: 'header', name: 'Content-Type', const: 'image/jpeg' });
    });

    it.each([
      [undefined, 'application/octet-stream'],
      [['application/json'], 'application/octet-stream'],
      [['application/pdf'], 'application/pdf'],
      [['text/csv'], 'text/csv'],
    ])('consumes %j is sent as %s', (consumes, contentType) => {
      const { invocation, properties } = act({
        ...(consumes === undefined ? {} : { consumes }),
        parameters: [body({ type: 'string', format: 'binary' }, { description: 'The film' })],
      });
      expect(invocation.body).toEqual({ contentType, required: true, binary: true });
      expect(properties.body).toEqual({
        type: 'string',
        contentEncoding: 'base64',
        description: 'The film (file content, base64)',
      });
    });

    it('leaves base64 text that the connector itself takes as text', () => {
      const { invocation } = act({ parameters: [body({ type: 'string', format: 'byte' })] });
      expect(invocation.body).toEqual({ contentType: 'application/json', required: true });
    });
  });

  describe('Accept and Content-Type', () => {
    const header = (name: string, more: object = {}) => ({ name, in: 'header', type: 'string', ...more });

    it.each([
      ['its default', header('Accept', { default: ' text/plain', required: true }), 'text/plain'],
      ['its only value', header('accept', { enum: ['application/xml'] }), 'application/xml'],
      ['what the operation produces', header('Accept', { required: true }), 'application/vnd.things+json'],
    ])('are never asked for: %s goes along', (_name, parameter, value) => {
      const { bindings, properties } = act({
        produces: ['application/vnd.things+json'],
        parameters: [parameter],
        responses: { 200: { description: 'ok', schema: { type: 'object' } } },
      });
      expect(properties).toEqual({});
      expect(bindings).toEqual([{ in: 'header', name: parameter.name, const: value }]);
    });

    it('a Content-Type of the same kind says how the body is written', () => {
      const json = act({
        parameters: [
          header('Content-Type', { default: 'application/vnd.api+json' }),
          body({ type: 'array' }),
        ],
      });
      expect(json.invocation.body?.contentType).toBe('application/vnd.api+json');
      expect(json.binding('')).toMatchObject({ contentType: 'application/vnd.api+json' });
      const other = act({
        parameters: [header('Content-Type', { default: 'multipart/form-data' }), body({ type: 'array' })],
      });
      expect(other.invocation.body?.contentType).toBe('application/json');
    });
  });

  describe('texts and values', () => {
    const query = (more: object) =>
      act({ parameters: [{ name: 'p', in: 'query', type: 'string', ...more }] }).properties.p;

    it('joins title and description, each thing said once', () => {
      expect(query({ 'x-ms-summary': 'Parcel' })).toMatchObject({ description: 'Parcel' });
      expect(query({ description: 'The parcel' })).toMatchObject({ description: 'The parcel' });
      expect(query({ 'x-ms-summary': 'Parcel', description: 'The parcel’s id' })).toMatchObject({
        description: 'The parcel’s id',
      });
      expect(query({ 'x-ms-summary': 'Parcel id', description: 'Choose one' })).toMatchObject({
        description: 'Parcel id: Choose one',
      });
    });

    const values = [
      { value: 'low', displayName: 'Light' },
      { value: 'high', displayName: 'Heavy' },
    ];

    it('tells the titles of values, and allows no others where they stand alone', () => {
      expect(query({ 'x-ms-enum-values': values })).toEqual({
        type: 'string',
        enum: ['low', 'high'],
        description: '(low: Light, high: Heavy)',
      });
      expect(
        query({ 'x-ms-summary': 'Weight', enum: ['low', 'high', 'none'], 'x-ms-enum-values': values }),
      ).toEqual({
        type: 'string',
        enum: ['low', 'high', 'none'],
        description: 'Weight (low: Light, high: Heavy)',
      });
      expect(mail.operation('SendLetterV2').properties.importance).toMatchObject({
        enum: ['low', 'normal', 'high'],
        description: '(low: Low, normal: Normal, high: High)',
      });
    });

    it('says nothing where titles and values are the same', () => {
      const same = [{ value: 'Low', displayName: 'Low' }];
      expect(query({ 'x-ms-enum-values': same })).toEqual({ type: 'string', enum: ['Low'] });
    });

    it('cuts long lists of titles', () => {
      const many = Array.from({ length: 200 }, (_, index) => ({
        value: `v${index}`,
        displayName: `Value ${index}`,
      }));
      const schema = query({ 'x-ms-enum-values': many })!;
      expect(schema.enum).toHaveLength(200);
      expect(String(schema.description).length).toBeLessThan(610);
      expect(schema.description).toMatch(/, …\)$/);
    });

    it('does not narrow answers', () => {
      const { operation } = act({
        responses: {
          200: {
            description: 'ok',
            schema: { type: 'object', properties: { state: { type: 'string', 'x-ms-enum-values': values } } },
          },
        },
      });
      expect(operation.output).toMatchObject({ properties: { state: { type: 'string' } } });
      expect(JSON.stringify(operation.output)).not.toContain('enum');
    });
  });

  describe('pages', () => {
    it('knows the next link, the only list of the answer and the argument that limits it', () => {
      expect(mail.operation('ListLettersV3').invocation.pageable).toEqual({
        nextLink: '@odata.nextLink',
        rows: 'letters',
        limit: '_top',
      });
    });

    it('leaves out what is usual or unknown', () => {
      expect(act({ 'x-ms-pageable': { nextLinkName: 'next' } }).invocation.pageable).toEqual({
        nextLink: 'next',
      });
      expect(
        act({ 'x-ms-pageable': { nextLinkName: 'next', itemName: 'rows' } }).invocation.pageable,
      ).toEqual({ nextLink: 'next', rows: 'rows' });
      expect(act({ 'x-ms-pageable': { nextLinkName: null } }).invocation).not.toHaveProperty('pageable');
    });
  });

  describe('raw proxies are dangerous', () => {
    const header = (name: string, more: object = {}) => ({ name, in: 'header', type: 'string', ...more });

    it('by id, path, target with method, and protocol', () => {
      expect(mail.operation('HttpRequest').operation).toMatchObject({
        access: 'dangerous',
        safety: { destructive: true },
      });
      const access = (operation: object, path?: string) => act(operation, {}, path).operation.access;
      expect(access({}, '/{connectionId}/codeless/httprequest')).toBe('dangerous');
      expect(access({ parameters: [header('Url'), header('Method', { default: 'GET' })] })).toBe('dangerous');
      expect(access({ 'x-ms-agentic-protocol': 'mcp-streamable-1.0' })).toBe('dangerous');
      const named = oneOperation({ operationId: 'mcp_Everything' });
      expect(compileSwagger(named, 'things').operation('mcp_Everything').operation.access).toBe('dangerous');
      const inBody = {
        type: 'object',
        properties: { uri: { type: 'string' }, httpMethod: { type: 'string' } },
      };
      expect(access({ parameters: [body(inBody)] })).toBe('dangerous');
    });

    it('and nothing else is', () => {
      const access = (operation: object) => act(operation).operation.access;
      expect(access({ parameters: [header('Url')] })).toBe('write');
      expect(access({ parameters: [header('Url'), header('Method', { enum: ['fast', 'slow'] })] })).toBe(
        'write',
      );
      const hook = oneOperation({
        operationId: 'CreateWebhook',
        parameters: [header('Url'), header('Method')],
      });
      expect(compileSwagger(hook, 'things').operation('CreateWebhook').operation.access).toBe('write');
    });
  });
});
