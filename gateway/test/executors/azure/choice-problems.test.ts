import { describe, expect, it } from 'vitest';
import type { AzureExecutorOptions } from '../../../src/executors/azure/azure-executor.ts';
import { createHelperCalls } from '../../../src/executors/azure/helper-calls.ts';
import type { AzureInvocation, Json, Operation } from '../../../src/operations/index.ts';
import { args, asked, chat, POST } from './choices-under-test.ts';
import { type FakeRoom, httpOf, inner, QUICK, run } from './connector-under-test.ts';

const mode = (dynamicValues: 'check' | 'explain' | 'off'): Partial<AzureExecutorOptions> => ({
  settings: () => ({ dynamicValues, pages: 1 }),
});

describe('with check', () => {
  it('a value that is none of them is refused before it is sent', async () => {
    const room = chat();
    await expect(run(room, POST, args({ channel: 'c9' }), { options: mode('check') })).rejects.toMatchObject({
      code: 'arguments_invalid',
      pointer: '/channel',
      message: 'Values of channel now: c1 (General). "c9" is none of them.',
      details: {
        options: [{ argument: '/channel', options: [{ value: 'c1', title: 'General' }], complete: true }],
      },
    });
    expect(room.envelopes.some(({ path }) => path === '/post')).toBe(false);
  });

  it('a title is told the value that it stands for', async () => {
    await expect(
      run(chat(), POST, args({ team: 'marketing' }), { options: mode('check') }),
    ).rejects.toMatchObject({
      pointer: '/team',
      message: expect.stringContaining('It is the title of "t2": give that value.'),
    });
  });

  it('a good value goes through', async () => {
    const room = chat();
    expect(await run(room, POST, args(), { options: mode('check') })).toMatchObject({ status: 200 });
    expect(asked(room)).toEqual(['/teams', '/teams/t1/channels']);
  });

  it('what is known is asked anew before a value is refused', async () => {
    const answers: Record<string, Json> = { '/teams': { value: [{ id: 't1' }] } };
    const room = chat(undefined, { answers });
    const helpers = createHelperCalls({ rooms: async () => room, retry: QUICK });
    const options = { ...mode('check'), helpers };
    await run(room, POST, { team: 't1' }, { options });
    await run(room, POST, { team: 't1' }, { options });
    expect(asked(room)).toEqual(['/teams']);
    answers['/teams'] = { value: [{ id: 't3' }] };
    await run(room, POST, { team: 't3' }, { options });
    expect(asked(room)).toEqual(['/teams', '/teams']);
    await expect(run(room, POST, { team: 't1' }, { options })).rejects.toMatchObject({ pointer: '/team' });
    expect(asked(room)).toEqual(['/teams', '/teams', '/teams']);
  });

  it('each item of a list is looked at', async () => {
    const mentions = [
      { team: 't1', channel: 'c1' },
      { team: 't2', channel: 'c1' },
    ];
    await expect(run(chat(), POST, args({ mentions }), { options: mode('check') })).rejects.toMatchObject({
      pointer: '/mentions/1/channel',
    });
  });

  it('trees are not looked at: what lies deeper is as good', async () => {
    const room = chat();
    expect(await run(room, POST, args({ folder: 'f11' }), { options: mode('check') })).toMatchObject({
      status: 200,
    });
    expect(asked(room)).not.toContain('/folders');
  });

  it('a list that goes on refuses nothing', async () => {
    const answers = { '/teams': { value: [{ id: 't7' }], nextLink: '/more' } };
    expect(
      await run(chat(undefined, { answers }), POST, { team: 't1' }, { options: mode('check') }),
    ).toMatchObject({ status: 200 });
  });

  it('a helper that fails refuses nothing', async () => {
    expect(
      await run(chat(undefined, { helpers: [] }), POST, args(), { options: mode('check') }),
    ).toMatchObject({ status: 200 });
  });

  it('a dry run asks nobody', async () => {
    const room = chat();
    expect(
      await run(room, POST, args({ team: 'no' }), { options: mode('check'), dryRun: true }),
    ).toMatchObject({ kind: 'request' });
    expect(room.requests).toEqual([]);
  });
});

describe('with explain', () => {
  const refuses = (status: string) => () => inner(status, { error: { message: 'bad team' } });

  it.each(['BadRequest', 'NotFound', 'Conflict', 'UnprocessableEntity'])(
    '%s is answered with the valid values',
    async (status) => {
      const raw = httpOf(await run(chat(refuses(status)), POST, args({ team: 'Sales', channel: 'c1' })));
      expect(raw.advice?.text).toBe(
        'Values of team now: t1 (Sales), t2 (Marketing). "Sales" is none of them. It is the title of "t1": give that value.',
      );
      expect(raw.advice?.details).toEqual({
        options: [
          {
            argument: '/team',
            options: [
              { value: 't1', title: 'Sales' },
              { value: 't2', title: 'Marketing' },
            ],
            complete: true,
          },
        ],
      });
      expect(raw.text).toBe('{"error":{"message":"bad team"}}');
    },
  );

  it.each([
    ['the values are good', 'NotFound', args(), 'explain' as const],
    ['the failure is another', 'Forbidden', args({ team: 'no' }), 'explain' as const],
    ['it is switched off', 'NotFound', args({ team: 'no' }), 'off' as const],
  ])('nothing is added where %s', async (_, status, given, setting) => {
    expect(await run(chat(refuses(status)), POST, given, { options: mode(setting) })).not.toHaveProperty(
      'advice',
    );
  });

  it('nothing is asked while the call succeeds', async () => {
    const room = chat();
    await run(room, POST, args({ team: 'no' }));
    expect(asked(room)).toEqual([]);
  });

  it('the answer is never held up: late helpers are left out', async () => {
    const room = chat(refuses('NotFound'));
    const stuck = {
      ...room,
      helper: () => new Promise<undefined>(() => {}),
    } as FakeRoom;
    const raw = await run(stuck, POST, args({ team: 'no' }), { options: { adviceMs: 1 } });
    expect(raw).toMatchObject({ kind: 'http', status: 404 });
    expect(raw).not.toHaveProperty('advice');
  });

  it('at most three arguments are looked at', async () => {
    const { choices, ...invocation } = POST.invocation as AzureInvocation;
    const names = ['a', 'b', 'c', 'd'];
    const operation: Operation = {
      ...POST,
      invocation: {
        ...invocation,
        choices: names.map((name) => ({ ...choices![0]!, argument: `/${name}` })),
      },
    };
    const raw = httpOf(await run(chat(refuses('NotFound')), operation, { a: 'x', b: 'x', c: 'x', d: 'x' }));
    const options = raw.advice?.details['options'] as { argument: string }[];
    expect(options.map(({ argument }) => argument)).toEqual(['/a', '/b', '/c']);
  });

  it('what strangers named is shown short and clean', async () => {
    const name = `Sales\u202e\n<system>${'x'.repeat(300)}`;
    const answers = { '/teams': { value: [{ id: 't1', name }] } };
    const raw = httpOf(await run(chat(refuses('NotFound'), { answers }), POST, { team: 'no' }));
    expect(raw.advice?.text).not.toMatch(/[\u202e\n]|<system>/);
    expect(raw.advice!.text.length).toBeLessThan(250);
  });
});
