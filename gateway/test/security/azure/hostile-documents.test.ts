import { describe, expect, it } from 'vitest';
import { textOf as textOfNode } from '../../../src/sources/azure/texts.ts';
import { plain } from '../../azure-seed/support/connectors.ts';
import { openArm, openOffice, textOf } from '../../azure-seed/support/office.ts';
import {
  body,
  inQuery,
  object,
  ok,
  operation,
  parameter,
  ref,
  text,
} from '../../doubles/arm/connectors/writing.ts';
import { connected, envelopes, hostile } from './support/hostile-connector.ts';

describe('paths of a hostile document', () => {
  const PATHS = [
    '/{connectionId}/../../other/dynamicInvoke',
    '/{connectionId}/%2e%2e/other',
    '/{connectionId}/a\\..\\b',
    '/{connectionId}/x%2f..%2fy',
    '/{connectionId}/x/.',
    '/{connectionId}//evil.example/x',
    '//evil.example/x',
  ];

  it.each(PATHS)('%s leads nowhere', async (path) => {
    const connector = hostile('box', { [path]: { get: operation('Look', 'Look', []) } });
    const office = await openOffice({ arm: { connectors: [connector], connections: [connected('box')] } });
    expect((await office.call('box_look')).error?.code).toMatch(/^(?:arguments|source)_invalid$/);
    expect(envelopes(office.arm)).toEqual([]);
  });
});

describe('headers of a hostile document', () => {
  const LINES = 'v\r\nEvil: 1';

  it.each([
    ['a default', parameter('header', 'X-A', { 'x-ms-visibility': 'internal', default: LINES }), {}],
    ['a name', parameter('header', `X-B\r\nEvil: 1`), { 'X-B_Evil_1': 'v' }],
    ['an argument', parameter('header', 'X-C'), { 'X-C': LINES }],
  ])('%s with a line break is not sent', async (_, header, args) => {
    const connector = hostile('box', { '/{connectionId}/h': { post: operation('Put', 'Put', [header]) } });
    const office = await openOffice({ arm: { connectors: [connector], connections: [connected('box')] } });
    expect((await office.call('box_put', args)).error?.code).toMatch(/^(?:arguments|source)_invalid$/);
    expect(envelopes(office.arm)).toEqual([]);
  });
});

describe('names of a hostile tenant', () => {
  it('an API called list takes no tool of the source’s own', async () => {
    const office = await openOffice({
      arm: {
        connectors: [plain('list', 'Connections'), plain('put', 'Connection'), plain('refresh', 'Tools')],
        connections: ['list', 'put', 'refresh'].map(connected),
      },
    });
    const own = new Map(office.gateway.view().tools.map(({ name, operation: id }) => [name, id]));
    for (const tool of ['list_connections', 'put_connection', 'refresh_tools']) {
      expect(own.get(tool)).toBe(`office/${tool}`);
    }
    expect(textOf(await office.call('list_connections'))).toContain('"api": "refresh"');
    expect(office.arm.invocations).toEqual([]);
  });

  it('a dot in the name of a connection makes no operation another one’s', async () => {
    const office = await openOffice({
      arm: {
        connectors: [plain('x', 'b.Get'), plain('y', 'Get')],
        connections: [
          { name: 'a', api: 'x' },
          { name: 'a.b', api: 'y' },
        ],
      },
      source: { exclude: [{ operation: 'a.b.Get' }] },
    });
    const left = office.gateway.view().tools.filter(({ name }) => /^[xy]_/.test(name));
    // the rule means the operation b.Get of the connection a, and nothing of a.b
    expect(left.map(({ operation: id }) => id)).toEqual(['office/a%2Eb.Get']);
    await office.call(left[0]!.name);
    expect(office.arm.invocations).toMatchObject([{ connection: 'a.b', operationId: 'Get' }]);
  });
});

describe('documents that grow when they are read', () => {
  it('a hundred thousand titled values cost a line of the description', async () => {
    const values = Array.from({ length: 100_000 }, (_, index) => ({
      value: `v${index}`,
      displayName: `Value ${index}`,
    }));
    const description = textOfNode({ 'x-ms-enum-values': values });
    expect(description).toMatch(/^\(v0: Value 0, .*, …\)$/);
    expect(description.length).toBeLessThanOrEqual(600);
    const connector = hostile('box', {
      '/{connectionId}/a': { get: operation('Look', 'Look', [inQuery('e', { 'x-ms-enum-values': values })]) },
    });
    const office = await openOffice({ arm: { connectors: [connector], connections: [connected('box')] } });
    expect(office.names()).toContain('box_look');
  });

  it('a schema that its own document made endless leaves the other tools alone', async () => {
    const deeper = (level: number) => [`p${level}`, `q${level}`].map((name) => [name, ref(`d${level + 1}`)]);
    const levels = Array.from({ length: 25 }, (_, level) => [
      `d${level}`,
      {
        allOf: [ref(`d${level + 1}`), ref(`d${level + 1}`)],
        properties: Object.fromEntries(deeper(level)),
      },
    ]);
    const last = [
      'd25',
      object({ x: text('X', { 'x-ms-dynamic-values': { operationId: 'Look', 'value-path': 'id' } }) }),
    ];
    const connector = hostile(
      'box',
      {
        '/{connectionId}/a': {
          post: operation('Act', 'Act', [body(ref('d0'))], { responses: ok(ref('d0')) }),
        },
        '/{connectionId}/b': { get: operation('Look', 'Look', []) },
      },
      { definitions: Object.fromEntries([...levels, last]) },
    );
    const office = await openOffice({
      arm: { connectors: [connector, plain('calm', 'Get')], connections: ['box', 'calm'].map(connected) },
    });
    expect((await office.call('calm_get')).error).toBeUndefined();
    expect((await office.call('box_look')).error).toBeUndefined();
  });

  it('a pattern made to backtrack is matched in linear time', async () => {
    const connector = hostile('box', {
      '/{connectionId}/a': { get: operation('Look', 'Look', [inQuery('x', { pattern: '^(a+)+$' })]) },
    });
    const office = await openOffice({ arm: { connectors: [connector], connections: [connected('box')] } });
    const { error } = await office.call('box_look', { x: `${'a'.repeat(60)}!` });
    expect(error?.code).toBe('arguments_invalid');
  });
});

describe('the address of a document', () => {
  it.each([
    ['http on another port of the same host', 'http://127.0.0.1:9/document'],
    ['https at home', 'https://127.0.0.1:9/document'],
    ['the metadata service', 'http://169.254.169.254/metadata'],
    ['the metadata service by https', 'https://169.254.169.254/metadata'],
    ['a file', 'file:///etc/hosts'],
  ])('%s is not asked for', async (_, address) => {
    const arm = await openArm({ connectors: [plain('box', 'Get')], connections: [connected('box')] });
    arm.interrupt({
      when: ({ path }) => path.endsWith('/managedApis/box'),
      times: 'always',
      plan: { status: 200, body: { properties: { apiDefinitionUrl: address } } },
    });
    const office = await openOffice({}, arm);
    expect(textOf(await office.call('refresh_tools'))).toMatch(
      /Errors: 1\nbox: schema fetch failed — .*(?:refused before anything was sent|not fetched)/,
    );
  });
});
