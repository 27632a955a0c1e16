import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bootstrap } from '../../../src/principals/index.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { openArm, openOffice, temporaryFolder, textOf } from '../../azure-seed/support/office.ts';
import type { ArmDouble } from '../../doubles/arm/arm.ts';
import { inQuery, object, ok, operation, text } from '../../doubles/arm/connectors/writing.ts';
import { connected, hostile } from './support/hostile-connector.ts';

const CHOICE = {
  type: 'integer',
  'x-ms-dynamic-values': { operationId: 'ListThings', 'value-collection': 'value', 'value-path': 'id' },
};
const ROWS = ok(object({ value: { type: 'array', items: object({ id: text('Id') }) } }));
const BOX = hostile('box', {
  '/{connectionId}/things': {
    get: operation('ListThings', 'Things', [], { 'x-ms-visibility': 'internal', responses: ROWS }),
  },
  '/{connectionId}/it': {
    get: operation('Look', 'Look', [inQuery('thing', CHOICE)]),
    post: operation('Act', 'Act', [inQuery('thing', CHOICE)]),
  },
});

const OPERATOR = 'operator-token-0123456789';

let arm: ArmDouble;
let call: (name: string, args?: object) => Promise<string>;
let list: () => Promise<string[]>;
let revoke: () => Promise<void>;

beforeEach(async () => {
  const folder = await temporaryFolder();
  const store = await openStore(`sqlite:${join(folder, 'team.db')}`);
  const { organisation } = await bootstrap(store, {
    organisation: { name: 'Acme' },
    user: { name: 'Ada' },
    defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-only' } },
  });
  await store.close();
  arm = await openArm({ connectors: [BOX], connections: [connected('box')] });
  const { gateway } = await openOffice(
    {
      configuration: {
        store: `sqlite:${join(folder, 'team.db')}`,
        auth: { mode: 'team' },
        server: { port: 0, token: OPERATOR },
      },
    },
    arm,
  );
  const { url } = await gateway.listen();
  const operate = async (method: string, path: string, body?: object) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer}`);
    return answer === '' ? {} : (JSON.parse(answer) as Record<string, unknown>);
  };
  const user = await operate('POST', '/api/v1/users', { organisation: organisation.id, name: 'Eve' });
  await operate('PUT', '/api/v1/access', { scope: 'category:*', level: 'read-only', user: user['id'] });
  const granted = await operate('POST', '/api/v1/keys', { user: user['id'], name: 'k' });
  const client = new Client({ name: 'member', version: '1' });
  onTestFinished(() => client.close().catch(() => undefined));
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${granted['key']}` } },
    }),
  );
  call = async (name, args = {}) =>
    JSON.stringify(await client.callTool({ name, arguments: args as Record<string, unknown> }));
  list = async () => (await client.listTools()).tools.map(({ name }) => name);
  revoke = async () =>
    void (await operate('DELETE', `/api/v1/keys/${(granted['record'] as { id: string }).id}`));
});

const invoked = () => arm.invocations.map(({ operationId }) => operationId);

describe('a caller who may only read', () => {
  it('sees what reads, and uses it', async () => {
    const names = await list();
    expect(names).toContain('box_look');
    expect(names).toContain('get_parameter_options');
    expect(names).not.toContain('box_act');
    expect(names).not.toContain('put_connection');
    expect(await call('get_parameter_options', { tool: 'box_look' })).toContain('ListThings-one');
  });

  it.each(['box_act', 'box.Act'])('is told no values of %s', async (tool) => {
    expect(await call('get_parameter_options', { tool })).toContain('tool_unknown');
    expect(invoked()).toEqual([]);
  });

  it('learns nothing from the errors of a call that is refused', async () => {
    const answer = await call('box_act', { thing: 'no number' });
    expect(answer).not.toContain('ListThings-one');
    expect(invoked()).toEqual([]);
  });

  it.each([
    ['put_connection', { apiName: 'box', connectionName: 'mine' }],
    ['delete_connection', { connectionName: 'box' }],
    ['get_consent_link', { connectionName: 'box' }],
  ])('cannot use %s', async (tool, args) => {
    const before = arm.requests.length;
    const answer = await call(tool, args);
    expect(answer).toMatch(/"isError":true|"error":/);
    expect(arm.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(answer).not.toContain(arm.sideUrl);
  });

  it('is nobody once the key is revoked', async () => {
    expect(await call('box_look')).not.toContain('isError":true');
    await revoke();
    const before = arm.requests.length;
    await expect(call('box_look')).rejects.toThrow();
    await expect(call('get_parameter_options', { tool: 'box_look' })).rejects.toThrow();
    expect(arm.requests.slice(before)).toEqual([]);
  });
});

describe('two resource groups', () => {
  it('neither tells values of the other one’s tools', async () => {
    const other = await openArm({
      connectors: [{ ...BOX, name: 'crate' }],
      connections: [connected('crate')],
      resourceGroup: 'others',
    });
    const first = await openArm({ connectors: [BOX], connections: [connected('box')] });
    const office = await openOffice(
      {
        sources: {
          second: {
            prefix: 'second',
            azure: {
              subscription: other.subscription,
              resourceGroup: 'others',
              armEndpoint: other.url,
              authentication: 'envvar',
              refresh: false,
            },
          },
        },
        options: { azure: { token: async (source) => (source === 'office' ? first : other).token() } },
      },
      first,
    );
    expect(office.names()).toContain('second_crate_look');
    for (const tool of ['second_crate_look', 'crate.Look']) {
      const result = await office.call('get_parameter_options', { tool });
      expect(textOf(result)).toContain('tool_unknown');
    }
    expect(
      textOf(await office.call('second_get_parameter_options', { tool: 'second_crate_look' })),
    ).toContain('ListThings-one');
    expect([first.invocations.length, other.invocations.length]).toEqual([0, 1]);
  });
});
