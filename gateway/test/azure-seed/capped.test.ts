import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../cli/spawned-command.ts';
import { MAIL } from '../doubles/arm/connectors/mail.ts';
import { ranked } from './support/connectors.ts';
import { azureAt, type Office, openArm, openOffice, temporaryFolder } from './support/office.ts';

const GROUP = { connectors: [MAIL], connections: [{ name: 'mail', api: 'mail' }] };
/** Of the fourteen that the mail service has for everybody. */
const MOST = 10;
const LISTED = 14;

/** A client that stays connected, and so learns of changed lists. */
async function connect(one: Office) {
  const client = new Client({ name: 'seed', version: '1' });
  let changed = Promise.withResolvers<void>();
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    changed.resolve();
    changed = Promise.withResolvers();
  });
  onTestFinished(() => client.close().catch(() => undefined));
  const { url } = await one.gateway.listen({ port: 0 });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  return {
    names,
    async namesOnce(holds: (names: readonly string[]) => boolean) {
      for (;;) {
        const next = changed.promise;
        const listed = await names();
        if (holds(listed)) return listed;
        await next;
      }
    },
    async call(name: string, args: Record<string, unknown>) {
      const { content, isError } = await client.callTool({ name, arguments: args });
      return {
        text: (content as { text: string }[]).map(({ text }) => text).join('\n'),
        failed: isError === true,
      };
    },
  };
}

const ofMail = (names: readonly string[]) =>
  names.filter((name) => name.startsWith('mail_') && name !== 'mail_discover');

describe('maxToolsPerApi through a client', () => {
  it('lists so many, with a finder that finds, describes and activates the rest; call_tool calls it', async () => {
    const one = await openOffice({ arm: GROUP, azure: { maxToolsPerApi: MOST } });
    const { names, namesOnce, call } = await connect(one);
    const listed = await names();
    expect(ofMail(listed)).toHaveLength(MOST);
    expect(listed).toEqual(expect.arrayContaining(['mail_discover', 'call_tool', 'list_connections']));
    // important ones stay, the only advanced one goes first
    expect(listed).toEqual(expect.arrayContaining(['mail_send_mail_v2', 'mail_list_mail_v3']));
    expect(listed).not.toContain('mail_update_contact_photo');

    const found = await call('mail_discover', { query: 'update the photo of a contact' });
    expect(found.text).toContain('mail_update_contact_photo');
    const described = await call('mail_discover', { operation: 'mail_update_contact_photo' });
    expect(described.text).toMatch(/folder/);

    const all = one.gateway.surface('flat').tools.map(({ name }) => name);
    expect(ofMail(all)).toHaveLength(LISTED);
    const left = ofMail(all).filter((name) => !listed.includes(name));
    expect(left).toHaveLength(LISTED - MOST);

    await call('mail_discover', { activate: ['mail_update_contact_photo'] });
    const after = await namesOnce((now) => now.includes('mail_update_contact_photo'));
    expect(ofMail(after)).toHaveLength(MOST + 1);

    const photo = { folder: 'x', id: 'y', body: Buffer.from('photo').toString('base64') };
    const called = await call('call_tool', { name: 'mail_update_contact_photo', arguments: photo });
    expect([called.failed, one.arm.invocations.at(-1)]).toMatchObject([
      false,
      { operationId: 'UpdateContactPhoto', problems: [] },
    ]);
  });

  it('call_tool calls one that nobody activated', async () => {
    const one = await openOffice({ arm: GROUP, azure: { maxToolsPerApi: 1 } });
    const { call, names } = await connect(one);
    expect(await names()).not.toContain('mail_get_mail_v2');
    const { failed } = await call('call_tool', {
      name: 'mail_get_mail_v2',
      arguments: { messageId: 'AAMk' },
    });
    expect([failed, one.arm.invocations.at(-1)]).toMatchObject([
      false,
      { operationId: 'GetMailV2', pathValues: { messageId: 'AAMk' } },
    ]);
  });

  it('counts each connection of an API by itself', async () => {
    const one = await openOffice({
      arm: {
        connectors: [ranked('ledger', 'Ledger', { important: 2, unset: 2, advanced: 2 })],
        connections: [
          { name: 'ledger', api: 'ledger' },
          { name: 'old', api: 'ledger' },
        ],
      },
      azure: { maxToolsPerApi: 3 },
    });
    const names = one.names();
    expect(names.filter((name) => /^ledger_get_/.test(name))).toHaveLength(3);
    expect(names.filter((name) => /^ledger_old_get_/.test(name))).toHaveLength(3);
    expect(names).toEqual(expect.arrayContaining(['ledger_discover', 'ledger_old_discover']));
  });
});

describe('the report', () => {
  const capped = (one: Office) => one.gateway.diagnostics().filter(({ code }) => code === 'tools-capped');

  it('counts what is not listed, and says what finds it', async () => {
    const one = await openOffice({ arm: GROUP, azure: { maxToolsPerApi: MOST } });
    expect(capped(one)).toMatchObject([
      {
        severity: 'info',
        source: 'office',
        message: '4 of 14 tools of mail are not listed; mail_discover finds them.',
      },
    ]);
  });

  it('counts neither what the configuration leaves out nor what nobody may call', async () => {
    const exclude = [{ operation: 'mail.SetAutoReply' }, { operation: 'mail.ImportMail' }];
    const access = [{ operation: 'mail.FlagMail', access: 'dangerous' }];
    const one = await openOffice({
      arm: GROUP,
      azure: { maxToolsPerApi: MOST },
      source: { exclude, access },
    });
    expect(capped(one)).toMatchObject([
      { message: '1 of 11 tools of mail are not listed; mail_discover finds them.' },
    ]);
    expect(ofMail(one.names())).toHaveLength(MOST);
  });

  it('says nothing where everything is listed', async () => {
    expect(capped(await openOffice({ arm: GROUP, azure: { maxToolsPerApi: LISTED } }))).toEqual([]);
    expect(capped(await openOffice({ arm: GROUP }))).toEqual([]);
  });

  it('is printed by toolcrib compile', async () => {
    const arm = await openArm(GROUP);
    const cwd = await temporaryFolder();
    const sources = { office: { azure: azureAt(arm, { maxToolsPerApi: MOST }) } };
    await writeFile(join(cwd, 'toolcrib.yaml'), JSON.stringify({ sources }));
    const env = { ARM_MCP_AUTH_TOKEN: arm.token() };
    const { exit, out, err } = await runCommand(['compile', '--json'], { cwd, env });
    expect([exit, err]).toEqual([0, '']);
    const { tools, diagnostics } = JSON.parse(out);
    expect(tools.filter(({ name }: { name: string }) => name.startsWith('mail_'))).toHaveLength(LISTED);
    expect(diagnostics).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: 'tools-capped', source: 'office' })]),
    );
    expect(out).not.toContain(env.ARM_MCP_AUTH_TOKEN);
  });
});
