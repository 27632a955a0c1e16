import { mkdir, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addChat } from '../../src/cli/commands/chat/chat-command.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { type LoopbackService, startLoopbackService } from '../doubles/loopback-service.ts';
import { type ModelDouble, startModel } from '../doubles/model/model.ts';
import { temporaryHome } from './command-run.ts';

const LIST = 'notes_listNotes';
const WRITE = 'notes_writeNote';
const KEY = 'sk-command-line-77d0';
const place = temporaryHome();
let model: ModelDouble;
let service: LoopbackService;

beforeAll(async () => {
  model = await startModel();
  service = await startLoopbackService('', ({ method }) => ({ status: 200, body: { done: method } }));
  await writeFile(
    place.path('notes.json'),
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1' },
      servers: [{ url: service.url }],
      paths: {
        '/notes': {
          get: {
            operationId: 'listNotes',
            summary: 'List notes',
            responses: { 200: { description: 'Notes' } },
          },
          post: {
            operationId: 'writeNote',
            summary: 'Write a note',
            responses: { 200: { description: 'Done' } },
          },
        },
      },
    }),
  );
  await writeFile(
    place.path('toolcrib.yaml'),
    [
      'sources:',
      '  notes:',
      '    openapi: notes.json',
      `    baseUrl: ${service.url}`,
      'topology: flat',
      'policy:',
      '  approvals: { write: ask }',
      'chat:',
      `  baseUrl: ${model.url}`,
      '  model: scripted',
      `  apiKey: { file: key.txt }`,
      '',
    ].join('\n'),
  );
  await writeFile(place.path('key.txt'), KEY, { mode: 0o600 });
});
afterAll(async () => {
  await model.close();
  await service.close();
});

interface Run {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** The command, with what a person at the terminal types and presses. */
async function run(
  words: readonly string[],
  lines?: readonly string[],
  input = '',
  onText: (text: string) => void = () => undefined,
): Promise<Run> {
  const out: string[] = [];
  const err: string[] = [];
  const typed = [...(lines ?? [])];
  const terminal: Terminal = {
    env: { HOME: place.home, XDG_STATE_HOME: place.path('state'), XDG_CONFIG_HOME: place.path('.config') },
    cwd: place.home,
    platform: 'linux',
    live: false,
    interactive: lines !== undefined,
    colour: false,
    out: (line) => void out.push(`${line}\n`),
    write: (text) => {
      out.push(text);
      onText(text);
    },
    note: (line) => void err.push(`${line}\n`),
    readInput: async () => input,
    confirm: async () => false,
    choose: async () => typed.shift(),
    line: async () => typed.shift(),
  };
  const outcome = { exit: -1 };
  const program = new Command('toolcrib').exitOverride();
  addChat(program, terminal, (exit) => {
    outcome.exit = exit;
  });
  await program.parseAsync(['chat', ...words], { from: 'user' });
  return { exit: outcome.exit, out: out.join(''), err: err.join('') };
}

const asked = () => model.questions.at(-1)!;

describe('toolcrib chat', () => {
  test('answers one prompt, with a call on one line', async () => {
    model.say({ calls: [{ name: LIST }] }, { text: 'There is one\u001b[31m note.' });
    const { exit, out, err } = await run(['What', 'is', 'there?']);
    expect(err).toBe('→ notes_listNotes {}\n');
    expect(out).toBe('There is one[31m note.\n');
    expect(exit).toBe(0);
    expect(asked().headers['authorization']).toBe(`Bearer ${KEY}`);
    expect(asked().body.messages[1]).toEqual({ role: 'user', content: 'What is there?' });
    expect(service.requests.at(-1)).toMatchObject({ method: 'GET', path: '/notes' });
  });

  test('takes the prompt from standard input', async () => {
    model.say({ text: 'Yes.' });
    expect(await run([], undefined, 'Is it?\n')).toMatchObject({ exit: 0, out: 'Yes.\n' });
    expect(asked().body.messages.at(-1)).toEqual({ role: 'user', content: 'Is it?' });
    await expect(run([])).rejects.toMatchObject({ code: 'usage' });
  });

  test('sends nobody into the file of the quickstart', async () => {
    await mkdir(place.path('empty'));
    const { err, exit } = await place.run(['chat', 'hi'], { cwd: place.path('empty') });
    expect(exit).toBe(78);
    expect(err).toContain('Set `chat.baseUrl` and `chat.model` in toolcrib.yaml');
    expect(err).not.toMatch(/quickstart|^ {2}at:/m);
  });

  test('--json prints every event', async () => {
    model.say({ text: 'Yes.' });
    const { out } = await run(['Is it?', '--json', '--model', 'other']);
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(events[0]).toMatchObject({ type: 'start', model: 'other', tools: { static: 2, dynamic: 0 } });
    expect(events.at(-1)).toMatchObject({ type: 'done', text: 'Yes.' });
    expect(events.at(-1)).not.toHaveProperty('messages');
  });

  test('without a person a write waits for one, and the model is told', async () => {
    const before = service.requests.length;
    model.say({ calls: [{ name: WRITE }] }, { text: 'You have to agree first.' });
    const { out, err } = await run(['Write']);
    expect(err).toMatch(
      /^→ notes_writeNote \{\}\nwaits for approval [0-9a-f]{32}\n✗ notes_writeNote approval_required: /,
    );
    expect(out).toBe('You have to agree first.\n');
    expect(service.requests).toHaveLength(before);
  });

  test('the person at the terminal agrees, and the call goes on', async () => {
    model.say({ calls: [{ name: WRITE }] }, { text: 'Written.' });
    const { out, err } = await run(['Write'], ['a']);
    expect(err).toContain('approval');
    expect(err).not.toContain('✗');
    expect(out).toBe('Written.\n');
    expect(service.requests.at(-1)).toMatchObject({ method: 'POST', path: '/notes' });
  });

  test('a person who refuses is listened to', async () => {
    const before = service.requests.length;
    model.say({ calls: [{ name: WRITE }] }, { text: 'Then not.' });
    const { err } = await run(['Write'], ['r']);
    expect(err).toContain('✗ notes_writeNote approval_rejected');
    expect(service.requests).toHaveLength(before);
  });

  test('a session keeps what was said, and ends with an empty line', async () => {
    const before = model.questions.length;
    model.say({ text: 'First.' }, { status: 404 }, { text: 'Third.' });
    const { exit, out, err } = await run([], ['one', 'two', 'three', '']);
    expect(exit).toBe(0);
    expect(out).toBe('First.\nThird.\n');
    expect(err).toContain('error model_failed:');
    expect(
      model.questions.slice(before).map(({ body }) => body.messages.slice(1).map(({ content }) => content)),
    ).toEqual([['one'], ['one', 'First.', 'two'], ['one', 'First.', 'two', 'three']]);
  });

  test('Ctrl-C ends the answer, and the session goes on', async () => {
    model.say(
      { text: 'one two three four', holdAfter: 3, hold: new Promise(() => undefined) },
      { text: 'Yes.' },
    );
    const { exit, out, err } = await run([], ['count', 'still there?', ''], '', (text) => {
      if (text.startsWith('one')) process.emit('SIGINT');
    });
    expect(exit).toBe(0);
    expect(err).toContain('cancelled:');
    expect(out).toMatch(/^one.*\nYes\.\n$/);
    expect(await model.questions.at(-2)!.left).toBe(true);
  });

  test('a failing endpoint is the exit code', async () => {
    model.say({ status: 401, body: { error: { message: `Bad key ${KEY}` } } });
    const { exit, out, err } = await run(['Hi']);
    expect([exit, out]).toEqual([69, '']);
    expect(err).toContain('Bad key [key]');
    expect(err).not.toContain(KEY);
  });

  test('the configured key is sent to no other endpoint', async () => {
    const other = await startModel();
    try {
      other.say({ text: 'Hi.' }, { text: 'Hi.' });
      expect((await run(['Hi', '--base-url', other.url])).out).toBe('Hi.\n');
      await run(['Hi', '--base-url', other.url, '--api-key', `file:${place.path('key.txt')}`]);
      expect(other.questions.map(({ headers }) => headers['authorization'])).toEqual([
        undefined,
        `Bearer ${KEY}`,
      ]);
    } finally {
      await other.close();
    }
  });

  test('without an endpoint it says where to name one', async () => {
    await writeFile(place.path('bare.yaml'), 'sources:\n  notes: { openapi: notes.json }\n');
    await expect(run(['Hi', '--config', place.path('bare.yaml')])).rejects.toMatchObject({
      code: 'chat_unavailable',
      pointer: '#/chat',
    });
  });
});
