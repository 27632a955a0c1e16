import { describe, expect, test } from 'vitest';
import type { ChatCall } from '../../src/chat/options.ts';
import type { Result } from '../../src/operations/index.ts';
import { chatSetup, closeAfterEach, only, says, tool } from './chat-setup.ts';

closeAfterEach();

/** Seed 004 §9.3, the chat's side of it: the tools behind it are played. */
describe('teacher session with imported dynamic skill', () => {
  const teacher = { id: 't-1', kind: 'user', maxAccess: 'write', roles: ['teacher'] } as const;
  const failed: Result = {
    kind: 'completed',
    content: [],
    error: {
      code: 'dynamic_tool_failed_after_retries',
      message: 'grade_essay failed 3 times; the last time with script_failed.',
      next: 'Go on without this tool: 1 other is available.',
      details: { attempts: 3, last: 'script_failed', remaining: { count: 1, names: ['list_students'] } },
    },
  };

  async function session(call: (call: ChatCall) => Result) {
    return chatSetup({
      effectiveSkill: (requested, { roles }) =>
        roles.includes('teacher') && requested === 'essays'
          ? { skill: 'essays', body: '# Essays\nGrade fairly.', reason: 'It was asked for.' }
          : { reason: 'none' },
      tools: async (_principal, skill) => ({
        static: [tool('list_students', { readOnly: true })],
        dynamic: skill === 'essays' ? [tool('grade_essay'), tool('fetch_rubric', { readOnly: true })] : [],
      }),
      call: async (one) => call(one),
    });
  }

  test('dynamic script tool called successfully', async () => {
    const { model, run, calls } = await session(() => says('{"ok":true,"data":{"grade":"B+"}}'));
    model.say({ calls: [{ name: 'grade_essay', arguments: { q: 'essay 1' } }] }, { text: 'B+.' });
    const events = await run({ principal: teacher, skill_id: 'essays' });
    expect(calls).toMatchObject([{ tool: 'grade_essay', skill: 'essays', principal: { id: 't-1' } }]);
    expect(only(events, 'tool.result')).toMatchObject([{ status: 'ok', dynamic: true }]);
    expect(only(events, 'done')[0]).toMatchObject({ text: 'B+.' });
  });

  test('dynamic http tool called successfully, beside a static one', async () => {
    const { model, run } = await session(({ tool: name }) => says(name));
    model.say({ calls: [{ name: 'fetch_rubric' }, { name: 'list_students' }] }, { text: 'Both.' });
    const events = await run({ principal: teacher, skill_id: 'essays' });
    expect(only(events, 'tool.result')).toMatchObject([
      { name: 'fetch_rubric', status: 'ok', dynamic: true },
      { name: 'list_students', status: 'ok', dynamic: false },
    ]);
  });

  test('forced failure retries then degrades to static path', async () => {
    const { model, run } = await session(({ tool: name }) => (name === 'grade_essay' ? failed : says('Ada')));
    model.say(
      { calls: [{ name: 'grade_essay' }] },
      { calls: [{ name: 'list_students' }] },
      { text: 'Only the list.' },
    );
    const events = await run({ principal: teacher, skill_id: 'essays' });
    expect(only(events, 'tool.result')).toMatchObject([
      {
        name: 'grade_essay',
        status: 'failed',
        error_code: 'dynamic_tool_failed_after_retries',
        degraded: true,
      },
      { name: 'list_students', status: 'ok' },
    ]);
    const told = model.questions[1]!.body.messages.at(-1)!.content!;
    const [, json = ''] = /CONTENT \w+\n(.*)\nEND TOOL RESULT/.exec(told) ?? [];
    expect(JSON.parse(json)).toEqual({
      ok: false,
      error: 'dynamic_tool_failed_after_retries',
      message: 'grade_essay failed 3 times; the last time with script_failed.',
      next: 'Go on without this tool: 1 other is available.',
      details: { attempts: 3, last: 'script_failed', remaining: { count: 1, names: ['list_students'] } },
    });
    expect(only(events, 'done')[0]).toMatchObject({ text: 'Only the list.', rounds: 3 });
  });

  test('dynamic tools never change the skill: without one there are none', async () => {
    const { model, run } = await session(() => says('x'));
    model.say({ text: 'hello' });
    const events = await run({ principal: { ...teacher, roles: ['student'] }, skill_id: 'essays' });
    expect(events[0]).toMatchObject({ tools: { static: 1, dynamic: 0 } });
    expect(events[0]).not.toHaveProperty('skill');
    expect(model.questions[0]!.body.messages[0]!.content).not.toContain('Grade fairly');
  });
});
