import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defineTool } from '../../src/index.ts';
import { MAIL } from '../doubles/arm/connectors/mail.ts';
import { startLoopbackService } from '../doubles/loopback-service.ts';
import { plain } from './support/connectors.ts';
import {
  azureAt,
  consentAt,
  jsonOf,
  linkIn,
  MARK,
  openArm,
  openOffice,
  temporaryFolder,
  textOf,
} from './support/office.ts';

const GROUP = {
  connectors: [plain('post', 'ReadPost', 'ListBoxes'), plain('drive', 'ListFiles')],
  connections: [
    { name: 'post', api: 'post' },
    { name: 'drive', api: 'drive' },
  ],
};

describe('rules by operation id', () => {
  const connectorTools = (names: readonly string[]) => names.filter((name) => /^(post|drive)_/.test(name));

  it('include: one connection of the group', async () => {
    const include = [{ operation: 'post.*' }];
    const one = await openOffice({ arm: GROUP, source: { include } });
    expect(one.names()).toEqual(['post_list_boxes', 'post_read_post']);
  });

  it('exclude: one operation, and an own tool', async () => {
    const exclude = [{ operation: 'post.ListBoxes' }, { operation: 'put_connection' }];
    const one = await openOffice({ arm: GROUP, source: { exclude } });
    expect(connectorTools(one.names())).toEqual(['drive_list_files', 'post_read_post']);
    expect(one.names()).not.toContain('put_connection');
    await expect(one.gateway.call({ tool: 'post_list_boxes' })).rejects.toMatchObject({
      code: 'tool_unknown',
    });
    expect(textOf(await one.call('list_dynamic_tools'))).not.toContain('ListBoxes');
  });

  it('access: what a rule calls a delete asks a person', async () => {
    const access = [{ operation: 'post.ReadPost', access: 'delete' }];
    const one = await openOffice({ arm: GROUP, source: { access } });
    expect((await one.call('post_read_post')).error?.code).toBe('approval_required');
    expect((await one.call('post_list_boxes')).error).toBeUndefined();
  });

  it('access: what a rule calls dangerous is gone', async () => {
    const access = [{ operation: 'drive.*', access: 'dangerous' }];
    const one = await openOffice({ arm: GROUP, source: { access } });
    expect(connectorTools(one.names())).toEqual(['post_list_boxes', 'post_read_post']);
  });

  it('a pattern names no operation: what is dangerous stays so, what asks for a confirmation still asks', async () => {
    const one = await openOffice({
      arm: { connectors: [MAIL], connections: [{ name: 'mail', api: 'mail' }] },
      source: { access: [{ operation: 'mail.*', access: 'delete' }] },
      configuration: {
        policy: { approvals: { delete: 'allow', rules: [{ operation: 'mail.*', action: 'allow' }] } },
      },
    });
    expect(one.names()).not.toContain('mail_http_request');
    expect(one.gateway.diagnostics().map(({ code }) => code)).toContain('access-rule-refused');
    const deleted = await one.call('mail_delete_mail_v2', { messageId: 'AAMk' });
    expect(deleted.error?.code).toBe('approval_required');
    expect(one.arm.invocations).toEqual([]);
  });

  it('policy: a person is asked for a whole connection', async () => {
    const rules = [{ operation: 'drive.*', action: 'ask' }];
    const one = await openOffice({ arm: GROUP, configuration: { policy: { approvals: { rules } } } });
    expect((await one.call('drive_list_files')).error?.code).toBe('approval_required');
    expect((await one.call('post_read_post')).error).toBeUndefined();
  });

  it('connections: the group is narrowed to those named', async () => {
    const one = await openOffice({ arm: GROUP, azure: { connections: ['drive'] } });
    expect(connectorTools(one.names())).toEqual(['drive_list_files']);
    const refused = await one.call('put_connection', { apiName: 'post' });
    expect(refused.error?.code).toBe('tool_forbidden');
    expect(one.arm.requests.filter(({ path }) => /managedApis\/post/.test(path))).toEqual([]);
  });
});

describe('two resource groups beside other sources', () => {
  const start = async () => {
    const arm = await openArm(GROUP);
    const lab = await openArm({
      resourceGroup: 'lab',
      connectors: [plain('post', 'ReadPost'), plain('scope', 'ReadScope')],
      connections: [
        { name: 'post', api: 'post' },
        { name: 'scope', api: 'scope', status: 'Error' },
      ],
    });
    const shop = await startLoopbackService('', () => ({ status: 200, body: { items: [] } }));
    onTestFinished(() => shop.close());
    const folder = await temporaryFolder();
    const document = {
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      servers: [{ url: shop.url }],
      paths: { '/items': { get: { operationId: 'listItems', responses: { 200: { description: 'OK' } } } } },
    };
    await writeFile(join(folder, 'shop.json'), JSON.stringify(document));
    const add = defineTool({ name: 'add', description: 'Adds.', handler: () => ({ sum: 3 }) });
    const office = await openOffice(
      {
        sources: {
          lab: { prefix: 'lab', azure: azureAt(lab) },
          shop: { openapi: join(folder, 'shop.json'), baseUrl: shop.url },
        },
        options: {
          functions: { own: { tools: [add] } },
          azure: { token: async (source) => (source === 'lab' ? lab : arm).token() },
        },
      },
      arm,
    );
    return { ...office, names: office.names, lab, shop };
  };

  it('each has tools of its own, which go to its own Azure', async () => {
    const { arm, lab, call, names } = await start();
    expect(names()).toEqual(
      expect.arrayContaining(
        ['post_read_post', 'lab_post_read_post', 'lab_scope_read_scope', 'shop_listItems', 'add'].concat([
          'list_connections',
          'lab_list_connections',
          'refresh_tools',
          'lab_refresh_tools',
        ]),
      ),
    );
    await call('lab_post_read_post');
    expect([arm.invocations.length, lab.invocations.length]).toEqual([0, 1]);
    await call('post_read_post');
    expect([arm.invocations.length, lab.invocations.length]).toEqual([1, 1]);
    const listed = async (tool: string) =>
      (jsonOf(await call(tool)) as { tool: string }[]).map((row) => row.tool).sort();
    expect(await listed('list_dynamic_tools')).toEqual([
      'drive_list_files',
      'post_list_boxes',
      'post_read_post',
    ]);
    expect(await listed('lab_list_dynamic_tools')).toEqual(['lab_post_read_post', 'lab_scope_read_scope']);
    expect((await call('shop_listItems')).error).toBeUndefined();
    expect((await call('add')).structured).toEqual({ sum: 3 });
  });

  it('what happens to one says nothing of the other', async () => {
    const { arm, lab, call, names, descriptionOf, until, gateway } = await start();
    expect(
      await gateway.call({ tool: 'lab_put_connection', arguments: { apiName: 'post', connectionName: 'x' } }),
    ).toMatchObject({
      structured: { registered: 1 },
    });
    expect(names()).toContain('lab_post_x_read_post');
    expect(names()).not.toContain('post_x_read_post');
    expect(arm.connection('x')).toBeUndefined();
    // the other Azure is down: its tools stay, those of this one work
    lab.interrupt({ when: () => true, plan: 'drop', times: 'always' });
    expect(textOf(await call('lab_post_read_post'))).toMatch(/^Error invoking post\.ReadPost: /);
    expect((await call('post_read_post')).error).toBeUndefined();
    lab.forget();
    const refused = await call('lab_scope_read_scope');
    await consentAt(linkIn(textOf(refused)));
    expect((await call('lab_scope_read_scope')).error).toBeUndefined();
    await until(() => !descriptionOf('lab_scope_read_scope')!.includes(MARK));
  });

  it('a source that is taken out while running takes its tools along, and nobody else’s', async () => {
    const { gateway, names, lab } = await start();
    const { lab: _lab, ...sources } = gateway.configuration.sources;
    await gateway.reconfigure({ ...gateway.configuration, sources });
    expect(names().filter((name) => name.startsWith('lab_'))).toEqual([]);
    expect(names()).toEqual(expect.arrayContaining(['post_read_post', 'shop_listItems']));
    const asked = lab.requests.length;
    await gateway.call({ tool: 'refresh_tools' });
    expect(lab.requests.length).toBe(asked);
  });
});
