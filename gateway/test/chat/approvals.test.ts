import { describe, expect, test } from 'vitest';
import type { ChatCall } from '../../src/chat/options.ts';
import type { Result } from '../../src/operations/index.ts';
import { chatSetup, closeAfterEach, only, says, tool, typesOf } from './chat-setup.ts';

closeAfterEach();

const ID = '0123456789abcdef0123456789abcdef';
const CARD = {
  id: ID,
  title: 'Write a note',
  description: 'Somebody has to agree.',
  metadata: [],
  variant: 'default',
  labels: { approve: 'Approve', reject: 'Reject' },
};
const WAITS: Result = {
  kind: 'completed',
  content: [],
  error: {
    code: 'approval_required',
    message: 'A person must approve this call.',
    details: { approval: ID, expiresAt: '2026-11-22T12:00:00.000Z', card: CARD },
  },
};

/** A router that wants a person, and carries out what was agreed to. */
async function setup(agreed: (call: ChatCall) => boolean, options: { link?: string } = {}) {
  const opened = await chatSetup({
    tools: async () => ({ static: [tool('write_note')], dynamic: [] }),
    call: async (call) => (call.channel.approval === ID && agreed(call) ? says('written') : WAITS),
    ...(options.link === undefined ? {} : { approvalLink: async () => options.link }),
  });
  opened.model.say({ calls: [{ name: 'write_note', arguments: { q: 'x' } }] }, { text: 'ok' });
  return opened;
}

describe('a call that needs a person', () => {
  test('is told, and waits as long as the policy says', async () => {
    const { run, calls } = await setup(() => true, { link: 'https://tools.example/approve/t' });
    const events = await run();
    expect(typesOf(events)).toEqual([
      'start',
      'round',
      'tool.call',
      'approval.required',
      'tool.result',
      'round',
      'message.delta',
      'done',
    ]);
    expect(only(events, 'approval.required')).toEqual([
      {
        type: 'approval.required',
        id: ID,
        call: 'call_0',
        tool: 'write_note',
        card: CARD,
        expires_at: '2026-11-22T12:00:00.000Z',
        link: 'https://tools.example/approve/t',
      },
    ]);
    expect(calls.map(({ channel }) => channel)).toEqual([{ waitMs: 0 }, { approval: ID }]);
    expect(only(events, 'tool.result')[0]).toMatchObject({ status: 'ok' });
  });

  test('waits as long as the caller wants', async () => {
    const { run, calls } = await setup(() => true);
    await run({ approvalWaitMs: 1234 });
    expect(calls[1]!.channel).toEqual({ approval: ID, waitMs: 1234 });
  });

  test('without waiting the model is told, and shown neither card nor link', async () => {
    const { run, calls, model } = await setup(() => true, { link: 'https://tools.example/approve/t' });
    const events = await run({ approvalWaitMs: 0 });
    expect(calls).toHaveLength(1);
    expect(only(events, 'tool.result')[0]).toMatchObject({ error_code: 'approval_required' });
    const told = model.questions[1]!.body.messages.at(-1)!.content!;
    expect(told).toContain(`"approval":"${ID}"`);
    expect(told).not.toContain('tools.example');
    expect(told).not.toContain('Somebody has to agree');
  });

  test('asks the person who is there, and goes on with what they decided', async () => {
    const { run, calls } = await setup(() => true);
    const events = await run({ approval: async ({ id }) => (id === ID ? 'decided' : 'open') });
    expect(calls.map(({ channel }) => channel)).toEqual([{ waitMs: 0 }, { waitMs: 0, approval: ID }]);
    expect(only(events, 'tool.result')[0]).toMatchObject({ status: 'ok' });
  });

  test('is left open where that person decides nothing', async () => {
    const { run, calls } = await setup(() => true);
    const events = await run({ approval: async () => 'open' });
    expect(calls).toHaveLength(1);
    expect(only(events, 'tool.result')[0]).toMatchObject({ error_code: 'approval_required' });
    expect(events.at(-1)).toMatchObject({ type: 'done' });
  });

  test('nobody decided in time: the conversation goes on', async () => {
    const { run } = await setup(() => false);
    const events = await run();
    expect(only(events, 'tool.result')[0]).toMatchObject({ error_code: 'approval_required' });
    expect(events.at(-1)).toMatchObject({ type: 'done', text: 'ok' });
  });

  test('a link that cannot be made stops nothing', async () => {
    const { run } = await chatSetup({
      tools: async () => ({ static: [tool('write_note')], dynamic: [] }),
      call: async () => WAITS,
      approvalLink: async () => {
        throw new Error('no page');
      },
    }).then(({ run: start, model }) => {
      model.say({ calls: [{ name: 'write_note' }] }, { text: 'ok' });
      return { run: start };
    });
    const events = await run();
    expect(only(events, 'approval.required')[0]).not.toHaveProperty('link');
    expect(events.at(-1)).toMatchObject({ type: 'done' });
  });
});
