import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/operations/index.ts';
import { describeNodes, http, webhook } from './describing.ts';

const ID = 'a8a1b1c6-0000-4000-8000-000000000001';

describe('the address of a webhook', () => {
  const addresses: readonly [what: string, parameters: JsonObject, id: string, path: string][] = [
    ['a parameter that is left out means GET', { path: 'orders' }, 'GET /webhook/orders', '/webhook/orders'],
    ['a method', { path: 'orders', httpMethod: 'POST' }, 'POST /webhook/orders', '/webhook/orders'],
    [
      'without a path the webhook id is the path',
      { httpMethod: 'POST' },
      `POST /webhook/${ID}`,
      `/webhook/${ID}`,
    ],
    ['slashes at the ends do not count', { path: '/a/b/' }, 'GET /webhook/a/b', '/webhook/a/b'],
    [
      'parameters stand below the webhook id',
      { path: 'users/:id/x' },
      `GET /webhook/${ID}/users/{id}/x`,
      `/webhook/${ID}/users/{id}/x`,
    ],
  ];
  it.each(addresses)('%s', async (_what, parameters, id, path) => {
    const { operations } = await describeNodes([webhook(parameters)]);
    expect(operations.map((operation) => [operation.id, http(operation).path])).toEqual([[id, path]]);
    expect(http(operations[0]!).servers).toEqual([{ url: 'http://127.0.0.1:5678' }]);
  });

  it('a path parameter is a needed argument', async () => {
    const { operations } = await describeNodes([webhook({ path: 'users/:id' })]);
    expect(operations[0]!.input).toMatchObject({ properties: { id: { type: 'string' } }, required: ['id'] });
    expect(http(operations[0]!).bindings).toContainEqual({ arg: 'id', in: 'path', name: 'id' });
  });

  it('the public base and the endpoint of the configuration win', async () => {
    const settings = { webhookUrl: 'https://hooks.example.com/n8n/', endpoint: 'hooks' };
    const { operations } = await describeNodes([webhook({ path: 'orders' })], {}, settings);
    expect(http(operations[0]!)).toMatchObject({
      path: '/hooks/orders',
      servers: [{ url: 'https://hooks.example.com/n8n' }],
    });
  });

  const unusable: readonly [code: string, parameters: JsonObject, node?: object][] = [
    ['n8n-expression', { path: '={{ $env.PATH }}' }],
    ['n8n-expression', { path: 'a', httpMethod: '={{ "POST" }}' }],
    ['n8n-expression', { path: 'a', authentication: '={{ "none" }}' }],
    ['n8n-path-unusable', { path: 'a/../b' }],
    ['n8n-path-unusable', { path: 'a/{b}' }],
    ['n8n-path-unusable', { path: 'a?b=1' }],
    ['n8n-path-unusable', { path: 'a//b' }],
    ['n8n-path-unusable', { path: ':a/:a' }],
    ['n8n-path-missing', {}, { webhookId: undefined }],
    ['n8n-path-unusable', { path: 'a/:b' }, { webhookId: '../rest' }],
    ['n8n-path-unusable', { path: 'a/:b' }, { webhookId: '..' }],
    ['n8n-path-unusable', { path: 'a/:b' }, { webhookId: 'x?y=' }],
    ['n8n-path-unusable', { path: 'a/:b' }, { webhookId: '{b}' }],
    ['n8n-method-unknown', { path: 'a', httpMethod: 'BREW' }],
    ['n8n-authentication-unknown', { path: 'a', authentication: 'mindReading' }],
    ['n8n-response-mode-unknown', { path: 'a', responseMode: 'never' }],
    ['n8n-header-unknown', { path: 'a', authentication: 'headerAuth' }],
  ];
  it.each(unusable)('%s: %j is left out, and everything else stays', async (code, parameters, node = {}) => {
    const broken = webhook(parameters, { name: 'Broken', ...node });
    const { operations, skipped, diagnostics } = await describeNodes([broken, webhook({ path: 'good' })]);
    expect(operations.map(({ id }) => id)).toEqual(['GET /webhook/good']);
    expect(skipped).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ code, severity: 'warning' }]);
    expect(diagnostics[0]!.message).toContain('"Broken"');
  });
});

describe('which nodes are tools', () => {
  it('a disabled node, another trigger and an inactive or archived workflow are none', async () => {
    const other = webhook({ path: 'a' }, { type: 'n8n-nodes-base.formTrigger' });
    const disabled = webhook({ path: 'b' }, { disabled: true });
    expect((await describeNodes([other, disabled])).operations).toEqual([]);
    expect((await describeNodes([webhook()], { active: false })).operations).toEqual([]);
    expect((await describeNodes([webhook()], { isArchived: true })).operations).toEqual([]);
  });

  it('what runs is the published version, not the draft', async () => {
    const activeVersion = { nodes: [webhook({ path: 'published' })] };
    const { operations } = await describeNodes([webhook({ path: 'draft' })], { activeVersion });
    expect(operations.map(({ id }) => id)).toEqual(['GET /webhook/published']);
  });

  it('several methods of one node are several tools', async () => {
    const node = webhook({ path: 'a', multipleMethods: true, httpMethod: ['GET', 'POST', 'DELETE'] });
    const { operations } = await describeNodes([node]);
    expect(operations.map(({ id, name, access }) => [id, name, access])).toEqual([
      ['GET /webhook/a', 'Orders get', 'read'],
      ['POST /webhook/a', 'Orders post', 'write'],
      ['DELETE /webhook/a', 'Orders delete', 'delete'],
    ]);
  });

  it('several methods without a list are GET and POST', async () => {
    const { operations } = await describeNodes([webhook({ path: 'a', multipleMethods: true })]);
    expect(operations.map(({ id }) => id)).toEqual(['GET /webhook/a', 'POST /webhook/a']);
  });

  it('several nodes carry their names', async () => {
    const nodes = [webhook({ path: 'a' }, { name: 'Ask' }), webhook({ path: 'b' }, { name: 'Tell' })];
    const { operations } = await describeNodes(nodes);
    expect(operations.map(({ name, title }) => [name, title])).toEqual([
      ['Orders Ask', 'n8n.Orders Ask'],
      ['Orders Tell', 'n8n.Orders Tell'],
    ]);
  });
});

describe('what a call sends', () => {
  it('names itself so that webhooks which ignore bots answer', async () => {
    const { operations } = await describeNodes([webhook({ path: 'a' })]);
    const agent = http(operations[0]!).bindings.find(({ name }) => name === 'User-Agent');
    expect(agent).toMatchObject({ in: 'header', const: expect.stringContaining('Toolcrib') });
  });

  it('nothing is taken to be repeatable, whatever the method', async () => {
    for (const httpMethod of ['GET', 'PUT', 'DELETE', 'POST']) {
      const { operations } = await describeNodes([webhook({ path: 'a', httpMethod })]);
      expect(operations[0]!.safety.idempotent).toBe(false);
    }
  });
});

describe('authentication', () => {
  it('each credential of n8n is a security scheme of its name', async () => {
    const nodes = [
      webhook(
        { path: 'a', authentication: 'basicAuth' },
        { name: 'A', credentials: { httpBasicAuth: { id: '1', name: 'Partner login' } } },
      ),
      webhook(
        { path: 'b', authentication: 'headerAuth' },
        { name: 'B', credentials: { httpHeaderAuth: { id: '2', name: 'Partner key' } } },
      ),
      webhook(
        { path: 'c', authentication: 'jwtAuth' },
        { name: 'C', credentials: { jwtAuth: { id: '3', name: 'Signed' } } },
      ),
      webhook({ path: 'd' }, { name: 'D' }),
    ];
    const settings = { authHeaders: { 'Partner key': 'X-Partner' } };
    const { operations, securitySchemes } = await describeNodes(nodes, {}, settings);
    expect(operations.map((operation) => http(operation).security)).toEqual([
      [{ 'Partner login': [] }],
      [{ 'Partner key': [] }],
      [{ Signed: [] }],
      [],
    ]);
    expect(securitySchemes).toEqual({
      'Partner key': { type: 'apiKey', in: 'header', name: 'X-Partner' },
      'Partner login': { type: 'http', scheme: 'basic' },
      Signed: { type: 'http', scheme: 'bearer' },
    });
  });

  it('credentials of one name and two kinds stay apart', async () => {
    const credentials = { httpBasicAuth: { name: 'Key' }, jwtAuth: { name: 'Key' } };
    const nodes = [
      webhook({ path: 'a', authentication: 'basicAuth' }, { name: 'A', credentials }),
      webhook({ path: 'b', authentication: 'jwtAuth' }, { name: 'B', credentials }),
    ];
    const { securitySchemes } = await describeNodes(nodes);
    expect(Object.keys(securitySchemes)).toEqual(['Key', 'Key (jwt)']);
  });

  it('one name for two headers is refused rather than sent to the wrong one', async () => {
    const credentials = { httpHeaderAuth: { name: 'Key' } };
    const node = (path: string, header: string) =>
      webhook(
        { path, authentication: 'headerAuth' },
        { name: path, credentials, notes: `\`\`\`toolcrib\nheader: ${header}\n\`\`\`` },
      );
    const { operations, diagnostics } = await describeNodes([
      node('a', 'X-A'),
      node('b', 'X-B'),
      node('c', 'X-C'),
    ]);
    expect(operations.map(({ id }) => id)).toEqual(['GET /webhook/a', 'GET /webhook/b']);
    expect(diagnostics).toMatchObject([{ code: 'n8n-credential-ambiguous' }]);
  });
});
