import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import { createArgumentAdvice } from '../../../src/executors/azure/argument-advice.ts';
import type { AzureExecutorOptions } from '../../../src/executors/azure/azure-executor.ts';
import { createDynamicSchemas } from '../../../src/executors/azure/dynamic-schema.ts';
import { createHelperCalls, type HelperCallOptions } from '../../../src/executors/azure/helper-calls.ts';
import {
  createParameterOptions,
  type OptionsQuestion,
} from '../../../src/executors/azure/parameter-options.ts';
import type { AzureInvocation, Json, JsonObject, Operation } from '../../../src/operations/index.ts';
import { args, asked, chat, HELPERS, ids, POST } from './choices-under-test.ts';
import {
  callOf,
  connectionOf,
  type FakeRoom,
  httpOf,
  inner,
  operationOf,
  QUICK,
  run,
} from './connector-under-test.ts';

function finder(room: FakeRoom, rest: Partial<HelperCallOptions> = {}) {
  const helpers = createHelperCalls({ rooms: async () => room, retry: QUICK, ...rest });
  const find = createParameterOptions(helpers, createDynamicSchemas(helpers));
  return (given: JsonObject, question: Partial<OptionsQuestion> = {}) =>
    find({
      operation: POST,
      arguments: given,
      connection: connectionOf(),
      signal: new AbortController().signal,
      ...question,
    });
}

describe('the values of an argument', () => {
  it('are those that the helper lists, each once', async () => {
    const [team] = await finder(chat())({}, { argument: 'team' });
    expect(team).toEqual({
      argument: '/team',
      options: [
        { value: 't1', title: 'Sales' },
        { value: 't2', title: 'Marketing' },
      ],
      complete: true,
    });
  });

  it('depend on other arguments, by their names on the wire; constants give way', async () => {
    const room = chat();
    const [channel] = await finder(room)({ team: 't2' }, { argument: '/channel' });
    expect(channel?.options).toEqual([{ value: 'c2', title: 'Launch' }]);
    expect(room.envelopes).toEqual([
      expect.objectContaining({ method: 'GET', path: '/teams/t2/channels', queries: { kind: 'private' } }),
    ]);
  });

  it('say which argument to give first', async () => {
    await expect(finder(chat())({}, { argument: 'channel' })).rejects.toMatchObject({
      code: 'arguments_invalid',
      pointer: '/team',
      message: 'Give team first: the choice depends on it.',
    });
  });

  it('take the default of what they depend on', async () => {
    const operation = { ...POST, input: { type: 'object', properties: { team: { default: 't2' } } } };
    const [channel] = await finder(chat())({}, { argument: 'channel', operation });
    expect(ids(channel?.options)).toEqual(['c2']);
  });

  it('depend on the same item of a list', async () => {
    const given = { mentions: [{ team: 't1' }, { team: 't2' }] };
    const find = finder(chat());
    expect(ids((await find(given, { argument: '/mentions/1/channel' }))[0]?.options)).toEqual(['c2']);
    expect(ids((await find(given, { argument: '/mentions/*/channel' }))[0]?.options)).toEqual(['c1']);
    expect(ids((await find(given, { argument: 'mentions' }))[0]?.options)).toEqual(['c1']);
  });

  it('of a tree open step by step', async () => {
    const find = finder(chat());
    const [root] = await find({}, { argument: 'folder' });
    expect(root?.options).toEqual([
      { value: 'f1', title: 'Inbox', parent: true },
      { value: 'f2', title: 'note.txt' },
    ]);
    for (const parent of ['f1', { Id: 'f1' }]) {
      const [below] = await find({}, { argument: 'folder', parent });
      expect(ids(below?.options)).toEqual(['f11']);
    }
  });

  it('that are no tree cannot be opened', async () => {
    await expect(finder(chat())({}, { argument: 'team', parent: 't1' })).rejects.toMatchObject({
      code: 'arguments_invalid',
    });
  });

  it('are told for all arguments, with the reason where there are none now', async () => {
    const all = await finder(chat())({ mentions: [{ team: 't1' }] });
    expect(all.map(({ argument, problem }) => [argument, problem])).toEqual([
      ['/team', undefined],
      ['/channel', 'Give team first: the choice depends on it.'],
      ['/mentions/*/channel', undefined],
      ['/folder', undefined],
    ]);
  });

  it('do not exist for every argument', async () => {
    await expect(finder(chat())({}, { argument: 'subject' })).rejects.toMatchObject({
      code: 'arguments_invalid',
      message: expect.stringContaining('/team, /channel'),
    });
  });

  it('are not complete where the helper has more pages', async () => {
    const room = chat(undefined, {
      answers: { '/teams': { value: [{ id: 't1' }], nextLink: 'https://x.test/2' } },
    });
    expect((await finder(room)({}, { argument: 'team' }))[0]).toMatchObject({ complete: false });
  });

  it.each([
    ['a list of texts', ['a', 'b'], { items: undefined }],
    ['a list under another name', { data: { rows: [{ id: 'a' }, { id: 'b' }] } }, { items: 'data/rows' }],
    [
      'a member whose name holds a slash',
      { 'data/rows': [{ id: 'a' }, { id: 'b' }] },
      { items: 'data/rows' },
    ],
    ['an object with value', { value: [{ id: 'a' }, { id: 'b' }] }, { items: undefined }],
  ])('may come as %s', async (_, answer, choice) => {
    const { choices, ...invocation } = POST.invocation as AzureInvocation;
    const operation: Operation = {
      ...POST,
      invocation: { ...invocation, choices: [{ ...choices![0]!, ...(choice as object) }] },
    };
    const room = chat(undefined, { answers: { '/teams': answer } });
    expect(ids((await finder(room)({}, { argument: 'team', operation }))[0]?.options)).toEqual(['a', 'b']);
  });

  it('are an error where the helper fails', async () => {
    const room = chat(undefined, { answers: { '/teams': 'none' } });
    await expect(finder(room)({}, { argument: 'team' })).rejects.toMatchObject({ code: 'upstream_failed' });
    const gone = chat(() => inner('Forbidden'), {
      helpers: [
        { ...HELPERS[0]!, invocation: { ...HELPERS[0]!.invocation, path: '/none' } as AzureInvocation },
      ],
    });
    await expect(finder(gone)({}, { argument: 'team' })).rejects.toMatchObject({
      code: 'upstream_status',
      status: 403,
    });
    await expect(finder(chat(undefined, { helpers: [] }))({}, { argument: 'team' })).rejects.toMatchObject({
      code: 'source_invalid',
    });
  });

  it('come from helpers that read: nobody is asked before they are called', async () => {
    const helper = (method: string, operationId: string, access: Operation['access']) =>
      operationOf({ operationId, method, path: '/teams' }, { access });
    const ask = (changes: Operation) => {
      const { choices, ...invocation } = POST.invocation as AzureInvocation;
      const operationId = (changes.invocation as AzureInvocation).operationId;
      const operation = {
        ...POST,
        invocation: { ...invocation, choices: [{ ...choices![0]!, operation: operationId }] },
      };
      return finder(chat(undefined, { helpers: [changes] }))({}, { argument: 'team', operation });
    };
    await expect(ask(helper('POST', 'SendMail', 'write'))).rejects.toMatchObject({ code: 'source_invalid' });
    await expect(ask(helper('DELETE', 'GetRidOf', 'delete'))).rejects.toMatchObject({
      code: 'source_invalid',
    });
    await expect(ask(helper('GET', 'HttpRequest', 'dangerous'))).rejects.toMatchObject({
      code: 'source_invalid',
    });
    await expect(ask(helper('POST', 'GetTeamsByFilter', 'write'))).resolves.toHaveLength(1);
  });

  it('never lead a helper out of its path', async () => {
    const room = chat();
    await expect(finder(room)({ team: '../../chat' }, { argument: 'channel' })).rejects.toMatchObject({
      code: 'arguments_invalid',
    });
    expect(room.requests).toEqual([]);
  });
});

describe('what is known of values', () => {
  it('counts for a minute, for each connection and question', async () => {
    let now = 0;
    const room = chat();
    const find = finder(room, { now: () => now });
    await find({}, { argument: 'team' });
    now = 59_999;
    await find({}, { argument: 'team' });
    expect(asked(room)).toEqual(['/teams']);
    now = 60_000;
    await find({}, { argument: 'team' });
    expect(asked(room)).toEqual(['/teams', '/teams']);
    await find({}, { argument: 'team', connection: connectionOf({ name: 'group/2' }) });
    expect(asked(room)).toHaveLength(3);
  });

  it('is asked once by many at the same time', async () => {
    const room = chat();
    const find = finder(room);
    await Promise.all([1, 2, 3].map(() => find({}, { argument: 'team' })));
    expect(asked(room)).toEqual(['/teams']);
  });

  it('survives that whoever asked first went away', async () => {
    const gate = Promise.withResolvers<void>();
    const room = chat();
    const slow = {
      ...room,
      send: async (...request: Parameters<FakeRoom['send']>) => {
        await gate.promise;
        return room.send(...request);
      },
    };
    const find = finder(slow as FakeRoom);
    const leaving = new AbortController();
    const first = find({}, { argument: 'team', signal: leaving.signal });
    const second = find({}, { argument: 'team' });
    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    gate.resolve();
    expect(await second).toHaveLength(1);
    expect(asked(room)).toEqual(['/teams']);
  });

  it('is forgotten where it failed', async () => {
    let failing = true;
    const room = chat(undefined, { answers: { '/teams': null } });
    const send = room.send.bind(room);
    const flaky = {
      ...room,
      send: (...request: Parameters<FakeRoom['send']>) => {
        if (failing) throw new ToolcribError('upstream_failed', 'broken');
        return send(...request);
      },
    };
    const find = finder(flaky as FakeRoom);
    await expect(find({}, { argument: 'team' })).rejects.toMatchObject({
      code: 'upstream_failed',
      message: 'broken',
    });
    failing = false;
    await expect(find({}, { argument: 'team' })).rejects.toMatchObject({
      message: expect.stringContaining('no JSON'),
    });
  });

  it('is bounded', async () => {
    const room = chat(undefined, {
      answers: Object.fromEntries(
        Array.from({ length: 201 }, (_, at) => [`/teams/x${at}/channels`, { value: [] }]),
      ),
    });
    const find = finder(room);
    for (let at = 0; at <= 200; at++) await find({ team: `x${at}` }, { argument: 'channel' });
    await find({ team: 'x200' }, { argument: 'channel' });
    expect(asked(room)).toHaveLength(201);
    await find({ team: 'x0' }, { argument: 'channel' });
    expect(asked(room)).toHaveLength(202);
  });
});

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

describe('advice on arguments that the gateway refused', () => {
  const advise = (room: FakeRoom, error: unknown, given: JsonObject, rest: object = {}) =>
    createArgumentAdvice(createHelperCalls({ rooms: async () => room, retry: QUICK }))(
      error,
      callOf(POST, given, rest),
    );
  const refusal = (pointer: string) =>
    new ToolcribError('arguments_invalid', 'It does not fit.', {
      pointer,
      details: { errors: [{ pointer, message: 'x' }] },
    });

  it('names the valid values, also of an argument that is missing', async () => {
    expect(await advise(chat(), refusal('/team'), {})).toMatchObject({
      code: 'arguments_invalid',
      pointer: '/team',
      message: 'It does not fit. Values of team now: t1 (Sales), t2 (Marketing).',
      details: { errors: [{ pointer: '/team', message: 'x' }], options: [{ argument: '/team' }] },
    });
  });

  it.each([
    ['another argument', refusal('/subject'), {}],
    ['another error', new ToolcribError('path_blocked', 'no', { pointer: '/team' }), {}],
    ['what cannot be listed yet', refusal('/channel'), {}],
    ['a dry run', refusal('/team'), { dryRun: true }],
    ['a foreign fault', new Error('x'), {}],
  ])('gives %s back as it is', async (_, error, rest) => {
    expect(await advise(chat(), error, {}, rest)).toBe(error);
  });

  it('never makes the error another one', async () => {
    const error = refusal('/team');
    expect(await advise(chat(undefined, { helpers: [] }), error, {})).toBe(error);
  });
});
