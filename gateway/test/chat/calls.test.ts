import { describe, expect, test } from 'vitest';
import { ToolcribError } from '../../src/errors.ts';
import type { Result } from '../../src/operations/index.ts';
import { chatSetup, closeAfterEach, only, says, tool } from './chat-setup.ts';

closeAfterEach();

const LOOKUP = tool('look_up', { readOnly: true });
const WRITE = tool('write_note');
const GRADE = tool('grade_essay');

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

  test('arguments that are no JSON object, or lost digits, are an error for the model, and reach no tool', async () => {
    const { model, run, calls } = await chatSetup({ tools: async () => ({ static: [WRITE], dynamic: [] }) });
    model.say(
      {
        calls: [
          { name: 'write_note', arguments: '{"q": "unend' },
          { name: 'write_note', arguments: '[1]' },
          { name: 'write_note', arguments: '{"id": 9007199254740993}' },
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
