import { describe, expect, it } from 'vitest';
import type { AzureInvocation, Operation } from '../../../src/operations/index.ts';
import { chat, finder, HELPERS, ids, POST } from './choices-under-test.ts';
import { inner, operationOf } from './connector-under-test.ts';

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
