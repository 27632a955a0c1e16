import { describe, expect, test } from 'vitest';
import { ToolcribError } from '../../src/errors.ts';
import type { ChatEvent } from '../../src/operations/chat.ts';
import type { Result } from '../../src/operations/index.ts';
import { SYNTHESIS_PROMPT } from '../../src/results/untrusted/frame-results.ts';
import { chatSetup, closeAfterEach, only, says, textOf, tool, typesOf } from './chat-setup.ts';

closeAfterEach();

const LOOKUP = tool('look_up', { readOnly: true });
const WRITE = tool('write_note');
const GRADE = tool('grade_essay');

describe('one conversation', () => {
  test('streams the text of an answer without tools', async () => {
    const { model, run } = await chatSetup();
    model.say({ text: 'Good morning, Zoë 🙂.', pieces: 3, crlf: true, usage: { input: 12, output: 7 } });
    const events = await run();
    expect(typesOf(events)).toEqual(['start', 'round', 'message.delta', 'done']);
    expect(textOf(events)).toBe('Good morning, Zoë 🙂.');
    expect(only(events, 'message.delta').length).toBeGreaterThan(2);
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      text: 'Good morning, Zoë 🙂.',
      usage: { input_tokens: 12, output_tokens: 7 },
      rounds: 1,
      finish_reason: 'stop',
      messages: [{ role: 'assistant', content: 'Good morning, Zoë 🙂.' }],
    });
    const [{ path, headers, body }] = model.questions as [(typeof model.questions)[0]];
    expect(path).toBe('/v1/chat/completions');
    expect(headers['authorization']).toBe('Bearer sk-double-5f0c21aa');
    expect(headers['user-agent']).toBe('toolcrib');
    expect(body).toMatchObject({
      model: 'scripted',
      stream: true,
      messages: [{ role: 'system' }, { role: 'user' }],
    });
    expect(body.tools).toBeUndefined();
  });

  test('carries out calls and asks again with their results', async () => {
    const { model, run, calls } = await chatSetup({
      tools: async () => ({ static: [LOOKUP], dynamic: [GRADE] }),
      effectiveSkill: () => ({ skill: 'essays', body: 'Grade by the rubric.', reason: 'it was asked for' }),
      call: async ({ tool: name }) => says(name === 'look_up' ? 'Ada, 9b' : 'B+'),
    });
    model.say(
      {
        calls: [
          { name: 'look_up', arguments: { q: 'Ada' } },
          { name: 'grade_essay', arguments: '{"q":"x"}' },
        ],
        pieces: 7,
        usage: { input: 100, output: 10 },
      },
      { text: 'Ada has a B+.', usage: { input: 150, output: 5 } },
    );
    const events = await run({ ask: 'What did Ada get?', session: 's-1', skill_id: 'essays' });
    expect(events[0]).toEqual({
      type: 'start',
      session: 's-1',
      model: 'scripted',
      skill: 'essays',
      reason: 'it was asked for',
      tools: { static: 1, dynamic: 1 },
      shadowed: [],
    });
    expect(only(events, 'tool.call')).toMatchObject([
      { name: 'look_up', arguments: { q: 'Ada' }, dynamic: false },
      { name: 'grade_essay', arguments: { q: 'x' }, dynamic: true },
    ]);
    expect(only(events, 'tool.result')).toMatchObject([
      { name: 'look_up', status: 'ok', dynamic: false },
      { name: 'grade_essay', status: 'ok', dynamic: true },
    ]);
    expect(calls).toMatchObject([
      { tool: 'look_up', arguments: { q: 'Ada' }, skill: 'essays', run: 's-1', depth: 0 },
      { tool: 'grade_essay', arguments: { q: 'x' }, skill: 'essays', run: 's-1' },
    ]);
    const [first, second] = model.questions;
    expect(first!.body.tools!.map(({ function: { name } }) => name)).toEqual(['look_up', 'grade_essay']);
    expect(first!.body.tools![0]).toEqual({
      type: 'function',
      function: { name: 'look_up', description: 'Does look_up.', parameters: LOOKUP.inputSchema },
    });
    const system = first!.body.messages[0]!.content!;
    expect(system.indexOf(SYNTHESIS_PROMPT)).toBe(0);
    expect(system).toContain('"essays" is selected');
    expect(system).toContain('Grade by the rubric.');
    expect(second!.body.messages.slice(1)).toMatchObject([
      { role: 'user', content: 'What did Ada get?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_0', function: { name: 'look_up', arguments: '{"q":"Ada"}' } },
          { id: 'call_1', function: { name: 'grade_essay', arguments: '{"q":"x"}' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_0',
        content: expect.stringMatching(
          /BEGIN TOOL RESULT ([0-9a-f]{32})\n[\s\S]*\nAda, 9b\nEND TOOL RESULT \1$/,
        ),
      },
      { role: 'tool', tool_call_id: 'call_1', content: expect.stringContaining('B+') },
    ]);
    expect(events.at(-1)).toMatchObject({
      text: 'Ada has a B+.',
      rounds: 2,
      usage: { input_tokens: 250, output_tokens: 15 },
      messages: [{ role: 'assistant' }, { role: 'tool' }, { role: 'tool' }, { role: 'assistant' }],
    });
  });

  test('what was said goes on in the next request', async () => {
    const { model, run } = await chatSetup({ tools: async () => ({ static: [LOOKUP], dynamic: [] }) });
    model.say(
      { calls: [{ name: 'look_up' }], reasoning: 'Better look.' },
      { text: 'Found.' },
      { text: 'Again.' },
    );
    const first = await run({ ask: 'Look' });
    const said = only(first, 'done')[0]!.messages;
    await run({
      messages: [{ role: 'user', content: 'Look' }, ...said, { role: 'user', content: 'Again' }],
    });
    const roles = model.questions.map(({ body }) => body.messages.map(({ role }) => role).join(' '));
    expect(roles).toEqual([
      'system user',
      'system user assistant tool',
      'system user assistant tool assistant user',
    ]);
    expect(model.questions[1]!.body.messages[2]).toMatchObject({
      reasoning_content: 'Better look.',
      tool_calls: [{ function: { arguments: '{}' } }],
    });
  });

  test('the operator speaks first, then how results are read, then the skill, then the caller', async () => {
    const { model, run } = await chatSetup({
      configuration: () => ({
        baseUrl: model.url,
        model: 'scripted',
        maxRounds: 8,
        system: 'OPERATOR',
        maxTokens: 99,
      }),
      effectiveSkill: () => ({ skill: 's', body: 'SKILL', reason: '' }),
    });
    model.say({ text: 'ok' });
    await run({
      model: 'other',
      messages: [
        { role: 'system', content: 'CALLER' },
        { role: 'user', content: 'hi' },
      ],
    });
    const { body } = model.questions[0]!;
    expect(body).toMatchObject({ model: 'other', max_tokens: 99 });
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    const system = body.messages[0]!.content!;
    const at = ['OPERATOR', SYNTHESIS_PROMPT, 'SKILL', 'CALLER'].map((part) => system.indexOf(part));
    expect(at[0]).toBe(0);
    expect(at).toEqual([...at].sort((one, other) => one - other));
  });
});

describe('bounds', () => {
  test('after the last round it is asked once more, without tools, and the event says so', async () => {
    const { model, run, calls } = await chatSetup({
      tools: async () => ({ static: [LOOKUP], dynamic: [] }),
    });
    const again = { calls: [{ name: 'look_up' }] };
    model.say(again, again, { text: 'That is all I found.', calls: [{ name: 'look_up' }] });
    const events = await run({ maxRounds: 2 });
    expect(only(events, 'round')).toEqual([
      { type: 'round', round: 1, of: 2, final: false },
      { type: 'round', round: 2, of: 2, final: false },
      { type: 'round', round: 3, of: 2, final: true },
    ]);
    expect(calls).toHaveLength(2);
    expect(model.questions.map(({ body }) => body.tools?.length)).toEqual([1, 1, undefined]);
    expect(model.questions[2]!.body.messages[0]!.content).toContain('No tool can be called any more.');
    expect(events.at(-1)).toMatchObject({ finish_reason: 'rounds', rounds: 3, text: 'That is all I found.' });
  });

  test('a caller may ask for fewer rounds, never for more than configured', async () => {
    const { model, run } = await chatSetup({
      configuration: () => ({ baseUrl: model.url, model: 'scripted', maxRounds: 1 }),
      tools: async () => ({ static: [LOOKUP], dynamic: [] }),
    });
    model.say({ calls: [{ name: 'look_up' }] }, { text: 'done' });
    const events = await run({ maxRounds: 100 });
    expect(only(events, 'round').map(({ of, final }) => [of, final])).toEqual([
      [1, false],
      [1, true],
    ]);
  });

  test('a long result is cut, its frame is whole; a long conversation gets no more tools', async () => {
    const { model, run } = await chatSetup({
      tools: async () => ({ static: [LOOKUP], dynamic: [] }),
      call: async () => says('x'.repeat(100_000)),
    });
    model.say({ calls: Array.from({ length: 40 }, () => ({ name: 'look_up' })) }, { text: 'enough' });
    const events = await run();
    const [, second] = model.questions;
    const results = second!.body.messages.filter(({ role }) => role === 'tool');
    expect(results).toHaveLength(40);
    for (const { content } of results) {
      expect(content!.length).toBeLessThan(61_000);
      expect(content).toMatch(/\[cut: the result is longer\]\nEND TOOL RESULT [0-9a-f]{32}$/);
    }
    expect(second!.body.tools).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ type: 'done', finish_reason: 'rounds' });
  });

  test('of an answer that calls without end, a bounded number is carried out', async () => {
    const { model, run, calls } = await chatSetup({
      tools: async () => ({ static: [WRITE], dynamic: [] }),
    });
    model.say({ calls: Array.from({ length: 200 }, () => ({ name: 'write_note' })) }, { text: 'ok' });
    await run();
    expect(calls).toHaveLength(64);
  });
});

describe('calls', () => {
  test('stand in order of appearance; neighbours that only read run together', async () => {
    const order: string[] = [];
    const bothRead = Promise.withResolvers<void>();
    let reading = 0;
    const { model, run } = await chatSetup({
      tools: async () => ({ static: [LOOKUP, WRITE], dynamic: [] }),
      call: async ({ tool: name, arguments: { q } }) => {
        order.push(`begin ${q}`);
        // a read ends only when the other has begun: one after the other would never end
        if (name === 'look_up' && ++reading === 2) bothRead.resolve();
        if (name === 'look_up') await bothRead.promise;
        order.push(`end ${q}`);
        return says(String(q));
      },
    });
    model.say(
      {
        calls: [
          { name: 'write_note', arguments: { q: '1' } },
          { name: 'write_note', arguments: { q: '2' } },
          { name: 'look_up', arguments: { q: '3' } },
          { name: 'look_up', arguments: { q: '4' } },
          { name: 'write_note', arguments: { q: '5' } },
        ],
      },
      { text: 'ok' },
    );
    await run();
    expect(order.slice(0, 4)).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
    expect(order.slice(4, 6)).toEqual(['begin 3', 'begin 4']);
    expect(order.slice(-2)).toEqual(['begin 5', 'end 5']);
    const told = model.questions[1]!.body.messages.filter(({ role }) => role === 'tool');
    expect(told.map(({ tool_call_id }) => tool_call_id)).toEqual([
      'call_0',
      'call_1',
      'call_2',
      'call_3',
      'call_4',
    ]);
    expect(told[3]!.content).toContain('\n4\n');
  });

  test('arguments that are no JSON object are an error for the model, and reach no tool', async () => {
    const { model, run, calls } = await chatSetup({ tools: async () => ({ static: [WRITE], dynamic: [] }) });
    model.say(
      {
        calls: [
          { name: 'write_note', arguments: '{"q": "unend' },
          { name: 'write_note', arguments: '[1]' },
        ],
      },
      { text: 'sorry' },
    );
    const events = await run();
    expect(calls).toEqual([]);
    expect(only(events, 'tool.call')[0]).toMatchObject({ arguments: '{"q": "unend' });
    expect(only(events, 'tool.result').map(({ error_code }) => error_code)).toEqual([
      'arguments_invalid',
      'arguments_invalid',
    ]);
    expect(model.questions[1]!.body.messages.at(-1)!.content).toContain('"error":"arguments_invalid"');
    expect(events.at(-1)).toMatchObject({ type: 'done', text: 'sorry' });
  });

  test('an unknown tool is answered with the nearest names', async () => {
    const { model, run, calls } = await chatSetup({
      tools: async () => ({ static: [LOOKUP], dynamic: [GRADE] }),
    });
    model.say({ calls: [{ name: 'grade_esay' }] }, { text: 'ok' });
    const events = await run();
    expect(calls).toEqual([]);
    expect(only(events, 'tool.result')[0]).toMatchObject({ error_code: 'tool_unknown', dynamic: false });
    expect(model.questions[1]!.body.messages.at(-1)!.content).toContain('Close to it: grade_essay.');
  });

  test('names that providers do not take are mapped there and back', async () => {
    const long = `${'a'.repeat(70)}.x`;
    const names = ['git.commit', 'git_commit', 'größe', long, 'plain'];
    const { model, run, calls } = await chatSetup({
      tools: async () => ({ static: names.map((name) => tool(name)), dynamic: [] }),
    });
    model.say(({ body }) => ({ calls: body.tools!.map(({ function: { name } }) => ({ name })) }), {
      text: 'ok',
    });
    const events = await run();
    const shown = model.questions[0]!.body.tools!.map(({ function: { name } }) => name);
    for (const name of shown) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(new Set(shown).size).toBe(names.length);
    expect([shown[1], shown[4]]).toEqual(['git_commit', 'plain']);
    expect(calls.map(({ tool: name }) => name)).toEqual(names);
    expect(only(events, 'tool.call').map(({ name }) => name)).toEqual(names);
  });

  test('a static name always wins, and the event names what is shadowed', async () => {
    const { model, run, calls } = await chatSetup({
      tools: async () => ({
        static: [tool('look_up', { description: 'static' })],
        dynamic: [tool('look_up', { description: 'dynamic' }), GRADE],
      }),
    });
    model.say({ calls: [{ name: 'look_up' }] }, { text: 'ok' });
    const events = await run();
    expect(events[0]).toMatchObject({ tools: { static: 1, dynamic: 1 }, shadowed: ['look_up'] });
    expect(model.questions[0]!.body.tools!.map(({ function: { description } }) => description)).toEqual([
      'static',
      'Does grade_essay.',
    ]);
    expect(calls).toHaveLength(1);
    expect(only(events, 'tool.call')[0]).toMatchObject({ dynamic: false });
  });

  test('what the router throws, and questions to the client, are failures of the call', async () => {
    const { model, run } = await chatSetup({
      tools: async () => ({ static: [LOOKUP, WRITE, GRADE], dynamic: [] }),
      call: async ({ tool: name }): Promise<Result> => {
        if (name === 'look_up') throw new ToolcribError('tool_forbidden', 'Not for you.');
        if (name === 'write_note') throw new Error('secret inner text');
        return { kind: 'input_required', requests: {} };
      },
    });
    model.say(
      { calls: [{ name: 'look_up' }, { name: 'write_note' }, { name: 'grade_essay' }] },
      { text: 'ok' },
    );
    const events = await run();
    expect(only(events, 'tool.result').map(({ error_code }) => error_code)).toEqual([
      'tool_forbidden',
      'internal',
      'capability_missing',
    ]);
    expect(JSON.stringify([events, model.questions[1]!.body])).not.toContain('secret inner text');
  });
});

describe('a conversation that cannot begin', () => {
  test.each([
    ['chat_unavailable', { configuration: () => undefined }, {}],
    ['request_invalid', {}, { messages: [] }],
    [
      'skill_forbidden',
      {
        effectiveSkill: () => {
          throw new ToolcribError('skill_forbidden', 'Not yours.');
        },
      },
      {},
    ],
  ] as const)('rejects with %s', async (code, options, request) => {
    const { run, model } = await chatSetup(options);
    await expect(run(request)).rejects.toMatchObject({ code });
    expect(model.questions).toEqual([]);
  });
});

describe('ends', () => {
  test('when the caller goes away, the question to the model ends', async () => {
    const { model, stream } = await chatSetup();
    const leave = new AbortController();
    model.say({ text: 'one two three four', holdAfter: 3, hold: new Promise(() => undefined) });
    const events: ChatEvent[] = [];
    for await (const event of stream({ signal: leave.signal })) {
      events.push(event);
      if (event.type === 'message.delta') leave.abort();
    }
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'cancelled', rounds: 1 });
    expect(await model.questions[0]!.left).toBe(true);
  });

  test('when nobody reads on, the question ends, too', async () => {
    const { model, stream } = await chatSetup();
    model.say({ text: 'one two three four', holdAfter: 3, hold: new Promise(() => undefined) });
    for await (const event of stream()) if (event.type === 'message.delta') break;
    expect(await model.questions[0]!.left).toBe(true);
  });

  test('a signal ends the calls under way; nothing is asked any more', async () => {
    const leave = new AbortController();
    const { model, run } = await chatSetup({
      tools: async () => ({ static: [WRITE], dynamic: [] }),
      call: async ({ signal }) => {
        leave.abort();
        signal.throwIfAborted();
        return says('never');
      },
    });
    model.say({ calls: [{ name: 'write_note' }, { name: 'write_note' }] }, { text: 'never' });
    const events = await run({ signal: leave.signal });
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'cancelled', messages: [] });
    expect(model.questions).toHaveLength(1);
  });

  test('when the process is about to end, calls under way finish and no further answer is asked for', async () => {
    const stop = new AbortController();
    const { model, run } = await chatSetup({
      tools: async () => ({ static: [WRITE], dynamic: [] }),
      call: async ({ signal }) => {
        stop.abort();
        signal.throwIfAborted();
        return says('written');
      },
    });
    model.say({ calls: [{ name: 'write_note' }] }, { text: 'never' });
    const events = await run({ stop: stop.signal });
    expect(only(events, 'tool.result')[0]).toMatchObject({ status: 'ok' });
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      code: 'cancelled',
      message: 'The gateway is shutting down.',
      messages: [{ role: 'assistant' }, { role: 'tool' }],
    });
    expect(model.questions).toHaveLength(1);
  });
});
