import { describe, expect, test } from 'vitest';
import { ToolcribError } from '../../src/errors.ts';
import { SYNTHESIS_PROMPT } from '../../src/results/untrusted/frame-results.ts';
import { VERSION } from '../../src/version.ts';
import { chatSetup, closeAfterEach, only, says, textOf, tool, typesOf } from './chat-setup.ts';

closeAfterEach();

const LOOKUP = tool('look_up', { readOnly: true });
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
    expect(headers['user-agent']).toBe(`toolcrib/${VERSION}`);
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
