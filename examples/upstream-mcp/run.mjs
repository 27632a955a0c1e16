// An MCP server behind the gateway: listed, called, governed, and back after a crash. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway, loadConfiguration } from 'toolcrib';

const state = await mkdtemp(join(tmpdir(), 'toolcrib-upstream-'));
const configuration = await loadConfiguration({
  file: join(import.meta.dirname, 'toolcrib.yaml'),
  env: process.env,
  cwd: import.meta.dirname,
  overrides: { stateDirectory: state, lockDirectory: state },
});
const gateway = await createGateway(configuration);

try {
  const call = (tool, args = {}) => gateway.call({ tool, arguments: args });

  // 1. Both servers list their tools; what the operator called dangerous is not there.
  const tools = gateway.view().tools.map(({ name }) => name);
  assert.ok(tools.includes('notes_read_note') && tools.includes('archive_read_note'), tools.join());
  assert.ok(tools.includes('notes_remove_note') && !tools.includes('archive_remove_note'), tools.join());

  // 2. A call goes through the router to the process, and its answer comes back.
  const read = await call('notes_read_note', { title: 'welcome' });
  assert.match(read.content[0].text, /under control/);
  assert.equal((await call('notes_read_note', {})).error.code, 'arguments_invalid');

  // 3. Its resources are the gateway's resources.
  const { contents } = await gateway.readResource('notes://welcome', {});
  assert.match(contents.text, /under control/);

  // 4. The process ends in the middle of a call. The list does not change, and the next call finds a new process.
  const crashed = await call('notes_crash');
  assert.ok(crashed.error, 'a call that ends its process fails');
  assert.deepEqual(
    gateway.view().tools.map(({ name }) => name),
    tools,
  );
  const deadline = Date.now() + 10_000;
  let again;
  do again = await call('notes_read_note', { title: 'welcome' });
  while (again.error?.code === 'upstream_unavailable' && Date.now() < deadline);
  assert.match(again.content[0].text, /under control/);

  // 5. Every call is an event.
  const events = await gateway.events();
  assert.ok(events.some(({ type, tool }) => type === 'call-failed' && tool === 'notes_crash'));
  console.log('upstream-mcp: all holds');
} finally {
  await gateway.close();
  await rm(state, { recursive: true, force: true });
}
