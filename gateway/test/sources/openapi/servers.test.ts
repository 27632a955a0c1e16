import { describe, expect, it } from 'vitest';
import { buildRequest } from '../../../src/executors/http/index.ts';
import type { Connection } from '../../../src/operations/index.ts';
import { describeOpenApi } from '../../../src/sources/openapi/describe.ts';
import { connectionOf } from '../../executors/http/operation-under-test.ts';
import { contextFor, describeOne, get, openapi, swagger } from './describing.ts';

const servers = async (document: object): Promise<unknown> =>
  (await describeOne(document)).invocation.servers;

describe('OpenAPI 3', () => {
  it('operation before path item before document', async () => {
    const [document, item, own] = ['https://d.example', 'https://p.example', 'https://o.example'].map(
      (url) => [{ url }],
    );
    expect(await servers(openapi(get({}), { servers: document }))).toEqual(document);
    expect(await servers(openapi({ '/a': { servers: item, get: {} } }, { servers: document }))).toEqual(item);
    expect(await servers(openapi({ '/a': { servers: item, get: { servers: own } } }))).toEqual(own);
  });

  it('a path that is written with its whole address is there', async () => {
    const servers = [{ url: 'https://d.example/v1' }];
    const { invocation, codes } = await describeOne(
      openapi({ 'https://p.example:8080/api/pets/{id}': { get: {} } }, { servers }),
    );
    expect(invocation).toMatchObject({
      path: '/api/pets/{id}',
      servers: [{ url: 'https://p.example:8080' }],
    });
    expect(codes).not.toContain('path-invalid');
  });

  it('variables with defaults and allowed values', async () => {
    const server = {
      url: 'https://{region}.example:{port}',
      variables: { region: { default: 'eu', enum: ['eu', 'us'] }, port: { default: 443 } },
    };
    expect(await servers(openapi(get({}), { servers: [server] }))).toEqual([
      {
        url: server.url,
        variables: { region: { default: 'eu', enum: ['eu', 'us'] }, port: { default: '443' } },
      },
    ]);
  });

  it('a variable without a default is the first of its allowed values', async () => {
    const variables = { region: { enum: ['eu', 'us'] } };
    const { codes, invocation } = await describeOne(
      openapi(get({}), { servers: [{ url: 'https://{region}.example', variables }] }),
    );
    expect(invocation.servers[0]?.variables).toEqual({ region: { default: 'eu', enum: ['eu', 'us'] } });
    expect(codes).toEqual([]);
  });

  it('a variable without a default is reported, and no call leaves without it', async () => {
    const url = 'https://{region}.example/{tenant}/v1';
    const variables = { region: { default: 'eu' }, tenant: {} };
    const { codes, operation } = await describeOne(openapi(get({}), { servers: [{ url, variables }] }));
    expect(codes).toEqual(['server-variable']);
    const sent = (more: Partial<Connection>) => buildRequest(operation, {}, connectionOf(more)).url;
    expect(() => sent({})).toThrow('serverVariables.tenant');
    expect(sent({ serverVariables: { tenant: 't1' } })).toBe('https://eu.example/t1/v1/a');
  });

  it('a host without a scheme is reached by https where the document is a file', async () => {
    const servers = [{ url: '//api.example/v1' }, { url: '/v2' }];
    const { invocation } = await describeOne(openapi(get({}), { servers }));
    expect(invocation.servers).toEqual([{ url: 'https://api.example/v1' }, { url: '/v2' }]);
  });

  it.each(['', ' '])('an empty address (%j) is the root, not the address of the document', async (url) => {
    const document = openapi(get({}), { servers: [{ url }] });
    expect(await servers(document)).toEqual([{ url: '/' }]);
    const { operations } = await describeOpenApi(
      { document: 'https://d.example/api/schema/?format=json' },
      contextFor('/base', { read: async () => Buffer.from(JSON.stringify(document)) }),
    );
    expect(operations[0]?.invocation).toMatchObject({ servers: [{ url: 'https://d.example/' }] });
  });

  it.each<[string, string, Partial<Connection>, string]>([
    ['{root}', '/v1', {}, 'https://d.example/v1/a'],
    ['{root}/x', '../v1', {}, 'https://d.example/v1/x/a'],
    ['{root}/x', '', {}, 'https://d.example/x/a'],
    ['{root}', '/v1', { serverVariables: { root: 'https://o.example/v2' } }, 'https://o.example/v2/a'],
    ['{root}', '/v1', { serverVariables: { root: '/v2' } }, 'https://d.example/v2/a'],
    ['//{root}/v1', 'h.example', {}, 'https://h.example/v1/a'],
  ])('%s with %j is relative to the document', async (url, value, more, expected) => {
    const document = openapi(get({}), { servers: [{ url, variables: { root: { default: value } } }] });
    const { operations } = await describeOpenApi(
      { document: 'https://d.example/api/openapi.json' },
      contextFor('/base', { read: async () => Buffer.from(JSON.stringify(document)) }),
    );
    expect(buildRequest(operations[0]!, {}, connectionOf(more)).url).toBe(expected);
  });

  it('a host that is an empty variable has to be configured', async () => {
    const document = openapi(get({}), {
      servers: [{ url: '//{host}/v1', variables: { host: { default: '' } } }],
    });
    const { operations } = await describeOpenApi(
      { document: 'https://d.example/openapi.json' },
      contextFor('/base', { read: async () => Buffer.from(JSON.stringify(document)) }),
    );
    expect(() => buildRequest(operations[0]!, {}, connectionOf({}))).toThrow('serverVariables.host');
  });

  it('one whose address is all variable stays to be named where the document is a file', async () => {
    const variables = { root: { default: '/v1' } };
    const { operation } = await describeOne(openapi(get({}), { servers: [{ url: '{root}', variables }] }));
    expect(() => buildRequest(operation, {}, connectionOf({}))).toThrow('its path included: https://HOST/v1');
  });

  it.each<[string, object, object[]]>([
    [
      'one of the document',
      openapi(get({}), { servers: { url: 'https://o.example' } }),
      [{ url: 'https://o.example' }],
    ],
    [
      'one of an operation',
      openapi(get({ servers: { url: 'https://o.example' } })),
      [{ url: 'https://o.example' }],
    ],
    ['none', openapi(get({}), { servers: { production: 'https://o.example' } }), [{ url: '/' }]],
    ['text', openapi(get({}), { servers: 'https://o.example' }), [{ url: '/' }]],
    ['text in a path item', openapi({ '/a': { servers: 'x', get: {} } }), [{ url: 'https://api.example' }]],
  ])('what is no list is told, and taken where it is one: %s', async (_what, document, expected) => {
    const { codes, invocation } = await describeOne(document);
    expect(invocation.servers).toEqual(expected);
    expect(codes).toEqual(['servers-invalid']);
  });

  it('broken ones are left out; without any it is the root, relative to the document', async () => {
    const { codes, invocation } = await describeOne(openapi(get({}), { servers: [null, { url: 5 }] }));
    expect(invocation.servers).toEqual([{ url: '/' }]);
    expect(codes).toEqual(['server-invalid', 'server-invalid']);
  });
});

describe('Swagger 2.0', () => {
  it.each<[string, object, object[]]>([
    [
      'https first',
      { schemes: ['http', 'https'], host: 'a.example', basePath: '/v1' },
      [{ url: 'https://a.example/v1' }, { url: 'http://a.example/v1' }],
    ],
    [
      'https where nothing is said',
      { schemes: undefined, host: 'a.example' },
      [{ url: 'https://a.example/' }],
    ],
    [
      'websockets are no choice',
      { schemes: ['ws', 'http'], host: 'a.example', basePath: 'x' },
      [{ url: 'http://a.example/x' }],
    ],
    [
      'http where nothing is said and the host is this machine',
      { schemes: undefined, host: 'localhost:8080', basePath: '/api' },
      [{ url: 'http://localhost:8080/api' }],
    ],
    [
      'https where this machine says so',
      { schemes: ['https'], host: '127.0.0.1:8443' },
      [{ url: 'https://127.0.0.1:8443/' }],
    ],
    [
      'the scheme of a host that is an address, where nothing else is said',
      { schemes: undefined, host: 'http://a.example/', basePath: '/v1' },
      [{ url: 'http://a.example/v1' }],
    ],
    [
      'what `schemes` says, whatever the host has',
      { schemes: ['https'], host: 'http://a.example' },
      [{ url: 'https://a.example/' }],
    ],
    ['no host', { host: undefined, basePath: '/v2' }, [{ url: '/v2' }]],
    [
      'a host that is an address',
      { host: 'https://a.example/', basePath: '/v1' },
      [{ url: 'https://a.example/v1' }],
    ],
    [
      'a basePath that is an address of the host: its path',
      { host: 'a.example', basePath: 'http://a.example/v1' },
      [{ url: 'https://a.example/v1' }],
    ],
    [
      'the scheme of such a basePath, where nothing else is said',
      { schemes: undefined, host: 'a.example', basePath: 'http://a.example/v1/' },
      [{ url: 'http://a.example/v1/' }],
    ],
    [
      'a basePath that is an address, without a host',
      { host: undefined, basePath: 'https://b.example:8443/v1' },
      [{ url: 'https://b.example:8443/v1' }],
    ],
  ])('%s', async (_what, more, expected) => {
    expect(await servers(swagger(get({}), more))).toEqual(expected);
  });

  it('a basePath that is an address elsewhere: its path, at the host, which is told', async () => {
    const more = { host: 'a.example', basePath: 'https://b.example/v1' };
    const { codes, invocation } = await describeOne(swagger(get({}), more));
    expect(invocation.servers).toEqual([{ url: 'https://a.example/v1' }]);
    expect(codes).toEqual(['base-path-invalid']);
  });

  it("the operation's own schemes", async () => {
    expect(await servers(swagger(get({ schemes: ['http'] })))).toEqual([{ url: 'http://api.example/' }]);
  });

  it('x-ms-parameterized-host', async () => {
    const more = {
      'x-ms-parameterized-host': {
        hostTemplate: '{account}.{suffix}',
        parameters: [
          { name: 'account', in: 'path', required: true, type: 'string' },
          { $ref: '#/parameters/suffix' },
        ],
      },
      parameters: {
        suffix: {
          name: 'suffix',
          in: 'path',
          default: 'azure.example',
          enum: ['azure.example', 'azure.test'],
        },
      },
      basePath: '/x',
    };
    expect(await servers(swagger(get({}), more))).toEqual([
      {
        url: 'https://{account}.{suffix}/x',
        variables: {
          suffix: { default: 'azure.example', enum: ['azure.example', 'azure.test'] },
        },
      },
    ]);
    const bare = {
      'x-ms-parameterized-host': { hostTemplate: '{url}', useSchemePrefix: false, parameters: [] },
    };
    expect(await servers(swagger(get({}), bare))).toEqual([{ url: '{url}' }]);
  });
});
