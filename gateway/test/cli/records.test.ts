import { existsSync } from 'node:fs';
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { createArtifacts } from '../../src/artifacts/index.ts';
import { events as eventsCommand } from '../../src/cli/commands/events.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { createEgress } from '../../src/egress/index.ts';
import { createDurableEvents } from '../../src/events/durable-events.ts';
import { hookProgress } from '../../src/events/webhooks/progress.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createRedactor } from '../../src/telemetry/redactor.ts';
import { callEnded, callStarted } from '../store/support/records.ts';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();
const address = () => `sqlite:${crib.path('data', 'toolcrib.db')}`;
let artifact = '';
let other = '';

beforeAll(async () => {
  await writeFile(
    crib.path('toolcrib.yaml'),
    'store: sqlite:./data/toolcrib.db\nartifacts: { store: ./outputs }\nsources: {}\n',
  );
  const store = await openStore(address());
  const log = createDurableEvents({ store, recover: false });
  const egress = createEgress();
  const artifacts = createArtifacts({
    store,
    place: crib.path('outputs'),
    egress,
    env: {},
    redactor: createRedactor(),
  });
  const put = (text: string) =>
    artifacts.put(Buffer.from(text), { mimeType: 'text/csv', name: '../candidates.csv' });
  artifact = (await put('id,name\n')).id;
  other = (await put('id\n')).id;
  await log.append(callStarted('c1', { access: 'write', run: 'r1', input: { id: 7 } }));
  await log.append(callEnded('c1', { run: 'r1', summary: 'text, 8 characters', artifact }));
  await log.append(
    callEnded('c2', {
      type: 'call-failed',
      code: 'cancelled',
      message: 'It was\u001b[31m cancelled.',
      dryRun: true,
    }),
  );
  await log.close();
  await store.close();
  await egress.close();
});

describe('toolcrib events', () => {
  it('shows one line an event, and no escape sequence of a service', async () => {
    const { exit, out } = await crib.run(['events']);
    expect(exit).toBe(0);
    const lines = out.trim().split('\n');
    expect(lines[0]).toMatch(/^1 \S+Z call-started greenhouse_list_candidates \{"id":7\}$/);
    expect(lines[1]).toContain(`text, 8 characters (artifact ${artifact})`);
    expect(lines[2]).toMatch(/_candidates \(dry run\) \S+ ms, cancelled: It was/);
    expect(out).not.toContain('\u001b[31m');
  });

  it.each([
    [
      ['--type', 'call-completed,call-failed'],
      [2, 3],
    ],
    [
      ['--run', 'r1'],
      [1, 2],
    ],
    [['--call', 'c2'], [3]],
    [['--after', '1', '--limit', '1'], [2]],
    [['--limit', '1'], [3]],
    [['--tool', 'nobody'], []],
  ])('%j', async (options, expected) => {
    const { out } = await crib.run(['events', '--json', ...options]);
    expect(JSON.parse(out).events.map(({ sequence }: { sequence: number }) => sequence)).toEqual(expected);
  });

  it('says them in the words of run events', async () => {
    const { out } = await crib.run(['events', '--json', '--as-run', '--limit', '1']);
    expect(JSON.parse(out).events).toMatchObject([{ type: 'TOOL_CALL_FAILED', error_code: 'cancelled' }]);
  });

  it.each([
    ['call_failed', 'Did you mean "call-failed"?'],
    ['call-started,TOOL_CALL_FAILED', 'Did you mean "call-failed"?'],
    ['NONSENSE', 'There is no event type "NONSENSE".'],
    ['', 'There is no event type "".'],
  ])('refuses the type %j, which nothing can have', async (type, message) => {
    const { exit, out, err } = await crib.run(['events', '--follow', '--type', type]);
    expect({ exit, out }).toEqual({ exit: 64, out: '' });
    expect(err).toContain(message);
    expect(err).toContain('call-completed, call-failed');
  });

  it('follows what other processes append, one JSON a line', async () => {
    const store = await openStore(address());
    const log = createDurableEvents({ store, recover: false });
    const ending = new AbortController();
    const lines: string[] = [];
    const terminal = {
      env: { HOME: crib.home },
      cwd: crib.home,
      platform: 'linux',
      colour: false,
      out: (line: string) => lines.push(line),
      note: () => undefined,
    } as unknown as Terminal;
    const following = eventsCommand(
      { follow: true, json: true, limit: 1, type: 'source-failed' },
      terminal,
      ending.signal,
    );
    await log.append(callStarted('c3', { access: 'write' }));
    await log.append({ type: 'source-failed', source: 'pets', message: 'gone' });
    await expect.poll(() => lines.map((line) => JSON.parse(line).message)).toEqual(['gone']);
    ending.abort();
    expect(await following).toBe(0);
    await log.close();
    await store.close();
  });

  it('shows how far webhooks have come', async () => {
    const { out } = await crib.run(['events', '--webhooks', '--json']);
    expect(JSON.parse(out)).toEqual({ webhooks: [] });
  });

  it('says which webhook is not configured any more, as after its URL was corrected', async () => {
    const store = await openStore(address());
    for (const name of ['ops', 'old']) await hookProgress(store, name).lease();
    await store.close();
    await writeFile(
      crib.path('hooks.yaml'),
      `store: ${address()}\nsources: {}\nevents: { webhooks: [ { name: ops, url: "http://127.0.0.1:1/", secret: { env: HOOK } } ] }\n`,
    );
    const { out } = await crib.run(['events', '--webhooks', '-c', 'hooks.yaml']);
    expect(out).toMatch(/^old +not configured /m);
    expect(out).toMatch(/^ops +active /m);
  });

  it('needs a store', async () => {
    await writeFile(crib.path('none.yaml'), 'store: none\nsources: {}\n');
    const { exit, err } = await crib.run(['events', '-c', 'none.yaml']);
    expect([exit, err]).toEqual([78, expect.stringContaining('in memory')]);
  });
});

describe('toolcrib artifacts', () => {
  it('lists them', async () => {
    const { out } = await crib.run(['artifacts', 'list', '--json']);
    const listed = JSON.parse(out).artifacts as Array<{ id: string }>;
    expect(listed.map(({ id }) => id).sort()).toEqual([artifact, other].sort());
    expect((await crib.run(['artifacts', 'list'])).out).toContain('text/csv');
  });

  it('writes one into a file of its name, never elsewhere and never over another', async () => {
    const { exit, out } = await crib.run(['artifacts', 'get', `toolcrib://artifacts/${artifact}`, '--json']);
    expect(exit).toBe(0);
    const { file } = JSON.parse(out);
    expect(file).toBe(crib.path('__candidates.csv'));
    expect(await readFile(file, 'utf8')).toBe('id,name\n');
    expect(await crib.run(['artifacts', 'get', other])).toMatchObject({
      exit: 73,
      err: expect.stringContaining('error file_conflict: '),
    });
    expect(await readFile(file, 'utf8')).toBe('id,name\n');
    expect((await crib.run(['artifacts', 'get', other, '--out', 'other.csv'])).exit).toBe(0);
  });

  it('leaves no file where the bytes end too early', async () => {
    for (const name of await readdir(crib.path('outputs'))) {
      await truncate(crib.path('outputs', name), (await stat(crib.path('outputs', name))).size - 1);
    }
    expect((await crib.run(['artifacts', 'get', other, '--out', 'cut.csv'])).exit).not.toBe(0);
    expect(existsSync(crib.path('cut.csv'))).toBe(false);
  });

  it('removes them', async () => {
    expect((await crib.run(['artifacts', 'remove', other])).exit).toBe(0);
    const again = await crib.run(['artifacts', 'remove', other, artifact, '--json']);
    expect([again.exit, JSON.parse(again.out)]).toEqual([64, { removed: [artifact], missing: [other] }]);
    expect((await crib.run(['artifacts', 'get', artifact])).err).toContain('There is no artifact');
  });
});
