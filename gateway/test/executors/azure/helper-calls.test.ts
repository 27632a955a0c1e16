import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import { asked, chat, finder } from './choices-under-test.ts';
import { connectionOf, type FakeRoom } from './connector-under-test.ts';

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
