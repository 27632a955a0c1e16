import { describe, expect, it } from 'vitest';
import type { CallChannel, InputRequest, Json } from '../../../src/operations/index.ts';
import { fakeRoom, httpOf, inner, run } from './connector-under-test.ts';
import { LINK, opens, READ, REFUSED, TEXT, unsigned } from './unsigned-connection.ts';

describe('a client that can open addresses', () => {
  const asking = (answer: Json): { channel: CallChannel; asked: InputRequest[] } => {
    const asked: InputRequest[] = [];
    const ask = async (request: InputRequest) => {
      asked.push(request);
      return answer;
    };
    return { asked, channel: { clientCapabilities: opens, ask } };
  };

  it('is asked, and the call goes on once the person has signed in', async () => {
    const waits: number[] = [];
    const room = unsigned({
      connected: async (timeoutMs) => {
        waits.push(timeoutMs);
        return true;
      },
    });
    const { asked, channel } = asking({ action: 'accept' });
    expect(httpOf(await run(room, READ, {}, { channel })).text).toBe('{"ok":true}');
    expect(asked).toEqual([
      {
        method: 'elicitation/create',
        params: {
          mode: 'url',
          url: LINK,
          message: expect.stringContaining('Connection "mail" is not authenticated'),
          elicitationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      },
    ]);
    expect(waits[0]).toBeGreaterThan(0);
    expect(waits[0]).toBeLessThanOrEqual(30_000);
    expect(room.envelopes).toHaveLength(2);
    expect(room.envelopes[0]).toEqual(room.envelopes[1]);
  });

  it.each([
    ['declines', { action: 'decline' }, true],
    ['closes the question', { action: 'cancel' }, true],
    ['says nothing that can be read', 'yes', true],
    ['opens the page and does not sign in', { action: 'accept' }, false],
  ])('gets the error with the link where its person %s', async (_, answer, connects) => {
    const room = unsigned({ connected: async () => connects });
    const { channel } = asking(answer);
    await expect(run(room, READ, {}, { channel })).rejects.toMatchObject({ text: TEXT });
    expect(room.envelopes).toHaveLength(1);
  });

  it('gets the error with the link where asking fails', async () => {
    const channel: CallChannel = {
      clientCapabilities: opens,
      ask: () => Promise.reject(new Error('unsupported')),
    };
    await expect(run(unsigned(), READ, {}, { channel })).rejects.toMatchObject({ text: TEXT });
  });

  it('is asked once: what is refused then is an error', async () => {
    const room = fakeRoom(() => REFUSED, { status: 'Error', connected: async () => true });
    const { asked, channel } = asking({ action: 'accept' });
    await expect(run(room, READ, {}, { channel })).rejects.toMatchObject({ text: TEXT });
    expect(asked).toHaveLength(1);
    expect(room.envelopes).toHaveLength(2);
    expect(room.state).toBe('Error');
  });

  it('is not asked where it only fills forms', async () => {
    const { asked, channel } = asking({ action: 'accept' });
    const forms = { ...channel, clientCapabilities: { elicitation: { form: {} } } };
    await expect(run(unsigned(), READ, {}, { channel: forms })).rejects.toMatchObject({ text: TEXT });
    expect(asked).toEqual([]);
  });
});

describe('a client of the newer revision', () => {
  const channel: CallChannel = { clientCapabilities: opens };

  it('is asked by the result', async () => {
    expect(await run(unsigned(), READ, {}, { channel })).toEqual({
      kind: 'input_required',
      requests: {
        consent: {
          method: 'elicitation/create',
          params: expect.objectContaining({ mode: 'url', url: LINK }),
        },
      },
      state: { 'toolcrib/consent': { connection: 'mail' } },
    });
  });

  const back = (action: string, connection = 'mail'): CallChannel => ({
    ...channel,
    requestState: { 'toolcrib/consent': { connection } },
    inputResponses: { consent: { action } },
  });

  it('comes back, and the call is carried out after the sign-in', async () => {
    const room = unsigned({ connected: async () => true });
    expect(httpOf(await run(room, READ, {}, { channel: back('accept') })).text).toBe('{"ok":true}');
    expect(room.envelopes).toHaveLength(1);
  });

  it.each([
    ['declined', 'decline', true],
    ['did not sign in', 'accept', false],
  ])('gets the error with a link where its person %s', async (_, action, connects) => {
    const room = unsigned({ connected: async () => connects });
    await expect(run(room, READ, {}, { channel: back(action) })).rejects.toMatchObject({ text: TEXT });
    expect(room.envelopes).toEqual([]);
  });

  it('is not asked a second time', async () => {
    const room = fakeRoom(() => REFUSED, { status: 'Error', connected: async () => true });
    await expect(run(room, READ, {}, { channel: back('accept') })).rejects.toMatchObject({ text: TEXT });
  });

  it('answers nothing about another connection', async () => {
    const raw = await run(unsigned(), READ, {}, { channel: back('accept', 'chat') });
    expect(raw.kind).toBe('input_required');
  });
});

describe('an answer', () => {
  it('shows that somebody is signed in after all', async () => {
    const room = fakeRoom(() => inner('OK'), { status: 'Error' });
    await run(room, READ);
    expect(room.seen).toEqual(['Connected']);
  });

  it('tells nothing new of a connection that is known to be', async () => {
    const room = fakeRoom(() => inner('OK'));
    await run(room, READ);
    expect(room.seen).toEqual([]);
  });
});
