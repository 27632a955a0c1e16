// A skill with scripts in three languages and no manifest: proposed, accepted, imported, called, edited, given up.
// Exits 0 when all holds.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { commandIn } from '../support/command.mjs';
import { followTools } from '../support/tool-list.mjs';

const here = import.meta.dirname;
const hasPython = spawnSync('python3', ['--version']).status === 0;
/** Without it a person would have to agree to every script. */
const hasSandbox = spawnSync('bwrap', ['--version']).status === 0;

const home = await mkdtemp(join(tmpdir(), 'toolcrib-skills-'));
const { toolcrib, toolcribJson, overStdio } = commandIn(home);
const configuration = await readFile(join(here, 'toolcrib.yaml'), 'utf8');
const permissive = '\npolicy:\n  skills: { mode: permissive }\n';
await writeFile(join(home, 'toolcrib.yaml'), hasSandbox ? configuration : configuration + permissive);
if (!hasSandbox) console.log('bubblewrap is not there: the mode is permissive');
await cp(join(here, 'text-tools'), join(home, 'text-tools'), { recursive: true });

const client = new Client({ name: 'skills', version: '1.0.0' });
const { nextChange, listOnce } = followTools(client);
const call = (name, args = {}) => client.callTool({ name, arguments: args });
const textOf = ({ content }) => content.map(({ text }) => text).join('\n');

try {
  // 1. Nothing says how the scripts are called. Toolcrib reads them and proposes; no proposal is in force.
  const proposed = await toolcrib('skills', 'infer', 'text-tools', '--write');
  for (const name of ['count_words', 'outline', 'replace'])
    assert.match(proposed, new RegExp(`name: "${name}"`));
  assert.match(proposed, /# --top, line 12/);

  // 2. A person reads it: these three change nothing, and may be run twice. Then it is accepted, and has no fault.
  const proposal = join(home, 'text-tools', 'tool-manifest.proposed.yaml');
  const text = await readFile(proposal, 'utf8');
  await writeFile(
    proposal,
    text.replaceAll(/^ {4}access: write$/gm, '    access: read\n    idempotent: true'),
  );
  await toolcrib('skills', 'infer', 'text-tools', '--accept', '--yes');
  await toolcrib('skills', 'lint', 'text-tools');

  // 3. Imported, it lies in the first folder of the source.
  const { skills: imported } = await toolcribJson('skills', 'import', join(home, 'text-tools'));
  assert.deepEqual(
    imported.map((skill) => [skill.id, skill.compiled_ok, skill.invalid_tools]),
    [['text-tools', 3, 0]],
  );
  assert.match(await toolcrib('skills', 'list'), /^text-tools .*\bok\b/m);

  // 4. Its tools are tools like all others; SKILL.md is a resource and a prompt.
  await client.connect(new StdioClientTransport(overStdio('serve', '--stdio')));
  const first = await listOnce((list) => list.has('replace'));
  assert.deepEqual(first.get('replace').inputSchema.required, ['from', 'to', 'text']);
  const { contents } = await client.readResource({ uri: 'skill://text-tools/SKILL.md' });
  assert.match(contents[0].text, /^# Text tools$/m);
  const { prompts } = await client.listPrompts();
  assert.ok(prompts.some(({ name }) => name === 'text-tools'));

  // 5. One template is one argument, whatever is in it.
  const replaced = await call('replace', { from: 'sea', to: '$(id) `id`', text: 'the sea; the sea' });
  assert.ok(!replaced.isError, textOf(replaced));
  assert.match(textOf(replaced), /the \$\(id\) `id`; the \$\(id\) `id`/);
  const outlined = await call('outline', { text: '# One\ntext\n## Two\n### Three', depth: '2' });
  assert.match(JSON.stringify(outlined.structuredContent), /"title":"Two"/);
  assert.doesNotMatch(JSON.stringify(outlined.structuredContent), /Three/);
  const flag = await call('outline', { text: '--depth' });
  assert.match(textOf(flag), /^arguments_invalid/, 'a text that looks like a flag is refused');
  if (hasPython) {
    const counted = await call('count_words', { text: 'the tide and the moon', json: true });
    assert.match(JSON.stringify(counted.structuredContent), /"words":5/);
  } else console.log('python3 is not there: count_words was not called');

  // 6. Edited while it is served: a tool more, without a restart, and the client is told.
  const folder = join(home, 'skills', 'text-tools');
  await writeFile(join(folder, 'scripts', 'sink.sh'), 'echo "the pump is off" >&2\nexit 3\n');
  const manifest = join(folder, 'tool-manifest.yaml');
  const sink = `
  - name: sink
    description: Fails whenever it is called.
    access: read
    idempotent: true
    input_schema: { type: object, additionalProperties: false }
    retry: { max_attempts: 3, backoff_ms: 10 }
    executor: { type: script, entry: scripts/sink.sh, args_template: [] }
`;
  const told = nextChange();
  await writeFile(manifest, (await readFile(manifest, 'utf8')).trimEnd() + sink);
  await listOnce((list) => list.has('sink'));
  await told;

  // 7. It fails three times; the answer says so, and that the others are still there. The flow goes on with them.
  const failed = await call('sink');
  assert.equal(failed.isError, true);
  assert.match(textOf(failed), /^dynamic_tool_failed_after_retries/);
  assert.ok(!(await call('outline', { text: '# On' })).isError);

  // 8. Everything is an event.
  const { events: all } = await toolcribJson('events');
  const events = all.filter(
    ({ type, tool_name: tool }) => type.startsWith('dynamic_tool.') && tool === 'sink',
  );
  assert.deepEqual(
    events.map(({ type, attempt }) => `${type.slice('dynamic_tool.'.length)} ${attempt}`),
    ['call 1', 'retry 2', 'call 2', 'retry 3', 'call 3', 'failed 3', 'degraded 3'],
  );
  console.log('ok  skills: scripts became tools, were called, changed and given up as they should be');
} finally {
  await client.close().catch(() => undefined);
  // what ran was a read-only copy
  spawnSync('chmod', ['-R', 'u+w', home]);
  await rm(home, { recursive: true, force: true });
}
