// Connectors of Azure as tools: started, called, one more made, signed in to. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startArm } from '../../gateway/test/doubles/arm/arm.ts';
import { commandIn } from '../support/command.mjs';
import { followTools } from '../support/tool-list.mjs';

const MARK = '⚠️ Connection not authenticated';

const folder = await mkdtemp(join(tmpdir(), 'toolcrib-azure-'));
const arm = await startArm();
const { overStdio } = commandIn(folder, { ARM_MCP_AUTH_TOKEN: arm.token() });
const client = new Client({ name: 'azure', version: '1.0.0' });
const { nextChange, listOnce } = followTools(client);
const call = (name, args = {}) => client.callTool({ name, arguments: args });
const textOf = ({ content }) => content.map(({ text }) => text).join('\n');

try {
  // 1. The server answers at once; the tools of the connections follow.
  const group = ['-s', arm.subscription, '-g', arm.resourceGroup];
  const words = ['azure', ...group, '-a', 'envvar', '--arm-endpoint', arm.url];
  await client.connect(new StdioClientTransport(overStdio(...words)));
  const first = await listOnce((list) => list.has('mail_send_mail_v2'));
  for (const name of ['list_connections', 'put_connection', 'list_dynamic_tools', 'refresh_tools'])
    assert.ok(first.has(name), name);
  assert.match(first.get('mail_send_mail_v2').description, /^\[Post Office Mail\] Send an email \(V2\)/);
  assert.ok(!first.has('mail_send_mail'), 'an older revision is no tool');
  assert.ok(
    !first.has('mail_list_tables') && !first.has('mail_on_new_mail'),
    'helpers and triggers are no tools',
  );

  // 2. A call becomes one request of the connector, hidden members filled in.
  const sent = await call('mail_send_mail_v2', {
    To: 'ada@example.com',
    Subject: 'Tides',
    SendAs: { Address: 'b@example.com' },
  });
  assert.ok(!sent.isError, textOf(sent));
  assert.equal(arm.invocations.at(-1).path, '/v2/Mail');
  assert.deepEqual(arm.invocations.at(-1).body, {
    To: 'ada@example.com',
    Subject: 'Tides',
    SendAs: { Origin: 'connector', Address: 'b@example.com' },
  });
  const listed = await call('mail_list_mail_v3', { _top: 3, importance: 'high' });
  assert.match(textOf(listed), /sample Subject/);
  assert.deepEqual(arm.invocations.at(-1).queries, {
    $top: '3',
    importance: 'high',
    fetchOnlyFlagged: 'false',
  });

  // 3. Another API is connected: its tools come without a restart, and the client is told.
  const told = nextChange();
  const made = JSON.parse(textOf(await call('put_connection', { apiName: 'chat' })));
  assert.equal(made.connection.name, 'chat');
  assert.match(made.dynamicTools.message, /^\d+ new tools registered for chat$/);
  await told;
  const second = await listOnce((list) => list.has('chat_get_all_teams'));
  assert.equal(
    [...second.keys()].filter((name) => name.startsWith('chat_')).length,
    made.dynamicTools.registered,
  );
  assert.ok(second.get('chat_get_all_teams').description.endsWith(MARK));

  // 4. Nobody has signed in yet: the call says where. Opening the link is all that it takes.
  const refused = await call('chat_get_all_teams');
  assert.equal(refused.isError, true);
  const wanted =
    /^Connection "chat" is not authenticated\.\n\nPlease open this URL to consent:\n(\S+)\n\nAfter consenting, retry this tool call\.$/;
  const [, link] = wanted.exec(textOf(refused)) ?? assert.fail(textOf(refused));
  assert.equal((await fetch(link, { redirect: 'manual' })).status, 302);
  const teams = await call('chat_get_all_teams');
  assert.ok(!teams.isError, textOf(teams));
  assert.match(textOf(teams), /GetAllTeams-one/);
  await listOnce((list) => !list.get('chat_get_all_teams').description.includes(MARK));

  // 5. What the connector saw was right, and never left its paths.
  assert.deepEqual(
    arm.invocations.flatMap(({ problems }) => problems),
    [],
  );
  assert.deepEqual(arm.escaped, []);
  console.log('ok  azure: connections are tools, a new one at once, and signing in takes one link');
} finally {
  await client.close().catch(() => undefined);
  await arm.close();
  await rm(folder, { recursive: true, force: true });
}
