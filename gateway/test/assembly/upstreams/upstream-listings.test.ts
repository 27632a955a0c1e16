import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { definitionKey } from '../../../src/assembly/upstreams/definition-key.ts';
import { createUpstreamListings } from '../../../src/assembly/upstreams/upstream-listings.ts';
import { ToolcribError } from '../../../src/errors.ts';
import type { UpstreamDefinition, UpstreamListing } from '../../../src/operations/index.ts';

const definition: UpstreamDefinition = {
  name: 'files',
  transport: {
    kind: 'stdio',
    command: 'files',
    args: [],
    env: { TOKEN: 'secret-value' },
    inherit: [],
    isolation: { mode: 'none', network: true, read: [], write: [] },
  },
  era: 'auto',
  share: 'one',
  startTimeoutMs: 1000,
  idleMs: 0,
  hangMs: 1000,
  restart: true,
};
const listingOf = (...names: string[]): UpstreamListing => ({
  tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })),
  resources: [],
  resourceTemplates: [],
  prompts: [],
  server: { name: 'files', version: '1' },
  era: 'legacy',
  capabilities: {},
});

let directory = '';
const closing: Array<() => Promise<void>> = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolcrib-listings-'));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await rm(directory, { recursive: true, force: true });
});

function listings(list: () => Promise<UpstreamListing>, lastError?: string) {
  const arrived: string[] = [];
  const created = createUpstreamListings({
    upstreams: {
      list,
      states: () => [
        { name: 'files', status: 'waiting', restarts: 0, ...(lastError === undefined ? {} : { lastError }) },
      ],
    },
    directory,
    retryMs: 1,
    arrived: (source) => arrived.push(source),
    report: (error) => {
      throw error;
    },
  });
  closing.push(created.close);
  // whoever wants to see it wait in vain says how long
  const ask = (patienceMs = 20_000, asked = definition) =>
    created.listing({ definition: asked, patienceMs }, new AbortController().signal);
  return { ask, arrived, close: created.close };
}

const down = () => Promise.reject(new ToolcribError('upstream_unavailable', 'It does not start.'));

test('a server that answers is believed, and remembered for the next start', async () => {
  const first = listings(async () => listingOf('a'));
  expect(await first.ask()).toEqual({ listing: listingOf('a') });
  await first.close();
  const [file] = await readdir(directory);
  expect(await readFile(join(directory, file!), 'utf8')).not.toContain('secret-value');
  expect((await stat(join(directory, file!))).mode & 0o077).toBe(0);
  const second = listings(down);
  expect(await second.ask()).toMatchObject({
    listing: listingOf('a'),
    stale: { message: 'It does not start.', since: expect.any(String) },
  });
});

test('a start waits no longer than its patience; what comes later is told and used', async () => {
  const before = listings(async () => listingOf('old'));
  await before.ask();
  await before.close();
  const answer = Promise.withResolvers<UpstreamListing>();
  const { ask, arrived } = listings(() => answer.promise);
  expect(await ask(20)).toMatchObject({ listing: listingOf('old'), stale: { message: /20 ms/ } });
  answer.resolve(listingOf('new'));
  await expect.poll(() => arrived).toEqual(['files']);
  expect(await ask()).toEqual({ listing: listingOf('new') });
});

test('without an earlier listing a server that is down has none; it is not asked twice at a time', async () => {
  let asked = 0;
  const answer = Promise.withResolvers<UpstreamListing>();
  const { ask, arrived } = listings(() => {
    asked++;
    return answer.promise;
  });
  await expect(ask(20)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  await expect(ask(20)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  expect(asked).toBe(1);
  answer.resolve(listingOf('a'));
  await expect.poll(() => arrived).toContain('files');
});

test('a list that changes while a slow server is asked is asked for once more', async () => {
  const answers = [Promise.withResolvers<UpstreamListing>(), Promise.withResolvers<UpstreamListing>()];
  let asked = 0;
  const { ask, arrived } = listings(() => answers[asked++]!.promise);
  await expect(ask(20)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  // its notice comes after it answered with the tools, and before it answers with all else
  await expect(ask(20)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  answers[0]!.resolve(listingOf('old'));
  await expect.poll(() => arrived).toEqual(['files']);
  expect(await ask()).toEqual({ listing: listingOf('old') });
  answers[1]!.resolve(listingOf('new'));
  await expect.poll(() => arrived).toEqual(['files', 'files']);
  expect(await ask()).toEqual({ listing: listingOf('new') });
  expect(asked).toBe(2);
});

test('a server that fails and is started again says why, not how long it takes', async () => {
  const later = Promise.withResolvers<UpstreamListing>();
  const never = () => later.promise;
  await expect(listings(never).ask(20)).rejects.toMatchObject({ message: expect.stringContaining('20 ms') });
  await expect(listings(never, 'It needs a token.').ask(20)).rejects.toMatchObject({
    message: 'It needs a token. What it lists is not known from an earlier run.',
    // nobody has called anything that could be called again
    next: expect.stringMatching(
      /^It is tried again by itself; `toolcrib upstream status files` starts it alone/,
    ),
  });
  later.resolve(listingOf());
});

test('a server that runs and cannot list is asked again until it can', async () => {
  let asked = 0;
  const { ask, arrived } = listings(async () => {
    asked++;
    if (asked < 4) throw new ToolcribError('upstream_failed', 'fetch failed');
    return listingOf('a');
  });
  await expect(ask()).rejects.toMatchObject({ code: 'upstream_failed' });
  await expect.poll(() => arrived).toEqual(['files']);
  expect(await ask()).toEqual({ listing: listingOf('a') });
  expect(asked).toBe(4);
});

test('what a server does not list for once stays, and it is asked again', async () => {
  const whole = { ...listingOf('a'), prompts: [{ name: 'greet' }] };
  const missing = [{ list: 'prompts', why: 'prompts/list: error -32603: "busy"' }] as const;
  const answers: UpstreamListing[] = [
    whole,
    { ...listingOf('a', 'b'), missing },
    { ...listingOf('a', 'b'), prompts: [{ name: 'part' }] },
  ];
  const { ask, arrived } = listings(async () => answers.shift()!);
  expect(await ask()).toEqual({ listing: whole });
  expect(await ask()).toEqual({ listing: { ...listingOf('a', 'b'), prompts: whole.prompts, missing } });
  await expect.poll(() => arrived).toEqual(['files']);
  expect(await ask()).toEqual({ listing: { ...listingOf('a', 'b'), prompts: [{ name: 'part' }] } });
});

test.each([
  ['is damaged', '{'],
  ['is of another version', '{"version":2}'],
  ['is no listing', '{"version":1,"at":"x","listing":{"tools":[1]}}'],
])('a stored listing that %s is none', async (_what, text) => {
  const before = listings(async () => listingOf('a'));
  await before.ask();
  await before.close();
  const [file] = await readdir(directory);
  await writeFile(join(directory, file!), text);
  await expect(listings(down).ask()).rejects.toMatchObject({ message: 'It does not start.' });
});

test('the listing of another definition is not used, and goes when the new one is stored', async () => {
  const before = listings(async () => listingOf('a'));
  await before.ask();
  await before.close();
  const changed: UpstreamDefinition = {
    ...definition,
    transport: { ...definition.transport, command: 'others' } as UpstreamDefinition['transport'],
  };
  await expect(listings(down).ask(undefined, changed)).rejects.toMatchObject({
    code: 'upstream_unavailable',
  });
  const after = listings(async () => listingOf('b'));
  await after.ask(undefined, changed);
  await after.close();
  expect(await readdir(directory)).toEqual([`files-${definitionKey(changed)}.json`]);
});

test('the key of a definition does not depend on its secrets, and does on everything that is reached', () => {
  const { transport } = definition;
  const other = (change: object) =>
    definitionKey({ ...definition, transport: { ...transport, ...change } as never });
  expect(other({ env: { TOKEN: 'other' } })).toBe(definitionKey(definition));
  expect(other({ env: { TOKEN: { env: 'T' } } })).not.toBe(definitionKey(definition));
  expect(other({ args: ['x'] })).not.toBe(definitionKey(definition));
});
