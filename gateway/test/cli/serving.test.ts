import { expect, it } from 'vitest';
import { noteLaterProblems, showEventsUntil } from '../../src/cli/serving.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import type { Gateway } from '../../src/gateway.ts';
import type { Event } from '../../src/operations/index.ts';

/** What is shown of the events that happen. */
function showing() {
  const state = { unread: false };
  const out: string[] = [];
  const notes: string[] = [];
  let lose: ((error: NodeJS.ErrnoException) => void) | undefined;
  let tell: ((event: Event) => void) | undefined;
  const terminal = {
    live: false,
    out: (line: string) => void out.push(line),
    note: (line: string) => void notes.push(line),
    isUnread: () => state.unread,
    whenLost: (then: typeof lose) => {
      lose = then;
    },
  } as unknown as Terminal;
  const gateway = {
    onEvent: (listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    },
  } as unknown as Gateway;
  const stop = new AbortController();
  let isOver = false;
  const shown = showEventsUntil(stop.signal, gateway, { json: true }, terminal).then(() => {
    isOver = true;
  });
  const happens = (sequence: number) => tell?.({ type: 'source-added', sequence } as unknown as Event);
  const losing = (code: string) => lose?.(Object.assign(new Error(`${code}: write`), { code }));
  return { state, out, notes, stop, shown, happens, losing, isOver: () => isOver };
}

it('notes sources that fail and come back, and withheld tools, on standard error', () => {
  const notes: string[] = [];
  const tells: ((event: Event) => void)[] = [];
  const gateway = {
    onEvent: (listener: (event: Event) => void) => tells.push(listener),
    diagnostics: () => [{ code: 'source-failed', message: 'Source shop could not be read.' }],
  };
  noteLaterProblems(
    gateway as unknown as Gateway,
    { note: (line: string) => void notes.push(line) } as Terminal,
  );
  const happens = (type: string, message: string) => {
    for (const tell of tells) tell({ type, source: 'shop', message } as unknown as Event);
  };
  // noted at the start, and told when the store is open
  happens('source-failed', 'Source shop could not be read.');
  happens('source-recovered', 'Source shop was read again.');
  happens('source-failed', 'Source shop could not be read.');
  happens('source-changed', 'Source shop was changed.');
  happens('source-recovered', 'Source shop was read again.');
  happens('tool-quarantined', 'Tool getPet differs from the lock and waits for acceptance.');
  expect(notes).toEqual([
    'source-recovered: Source shop was read again.',
    'source-failed: Source shop could not be read.',
    'source-recovered: Source shop was read again.',
    'tool-quarantined: Tool getPet differs from the lock and waits for acceptance.',
  ]);
});

it('notes what is wrong with a skill that was read again, and nothing of one that is well', () => {
  const notes: string[] = [];
  const tells: ((event: Event) => void)[] = [];
  const gateway = {
    onEvent: (listener: (event: Event) => void) => tells.push(listener),
    diagnostics: () => [],
  };
  noteLaterProblems(
    gateway as unknown as Gateway,
    { note: (line: string) => void notes.push(line) } as Terminal,
  );
  const read = (type: string, status: string, message?: string) => {
    for (const tell of tells) tell({ type, status, message, skill_id: 'poems' } as unknown as Event);
  };
  read('dynamic_tool.compile', 'partial', 'noted at the start');
  read('dynamic_tool.reload', 'ok');
  read('dynamic_tool.reload', 'failed', 'tool-manifest.yaml:2 is no valid YAML');
  read('dynamic_tool.reload', 'partial', 'tool-manifest.yaml:4, tool a b: A name\u001b[2J');
  expect(notes).toEqual([
    'dynamic_tool.reload: Skill poems: tool-manifest.yaml:2 is no valid YAML',
    'dynamic_tool.reload: Skill poems: tool-manifest.yaml:4, tool a b: A name [2J',
  ]);
});

it('leaves out what nobody reads, and goes on when somebody does', () => {
  const { state, out, happens } = showing();
  happens(1);
  state.unread = true;
  happens(2);
  state.unread = false;
  happens(3);
  expect(out.map((line) => JSON.parse(line).sequence)).toEqual([1, 3]);
});

it('goes on where there is no room for its lines, and says so once', async () => {
  const { notes, stop, shown, losing, isOver } = showing();
  losing('ENOSPC');
  losing('ENOSPC');
  expect(notes).toEqual(['Standard output cannot be written: ENOSPC: write. Events are not shown.']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver()).toBe(false);
  stop.abort();
  await shown;
});

it('is over when its reader has gone', async () => {
  const { shown, losing } = showing();
  losing('EPIPE');
  await shown;
});
