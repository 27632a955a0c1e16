import { describe, expect, it } from 'vitest';
import { createCallsInFlight, type OpenCall } from '../../../src/upstreams/session/calls-in-flight.ts';

const { signal } = new AbortController();
const call = (principal: string, asks = true, task?: string): OpenCall => ({
  principal,
  channel: asks ? { ask: async () => ({}) } : {},
  signal,
  ...(task === undefined ? {} : { task }),
});

describe.each([
  ['one channel for all', false],
  ['a stream for each request', true],
])('calls over %s', (_name, streams) => {
  const open = (...calls: readonly OpenCall[]) => {
    const inFlight = createCallsInFlight(streams);
    for (const one of calls) inFlight.begin(one);
    return inFlight;
  };

  it('of one person: a question goes to the latest that can ask, a log message to each', () => {
    const [first, second, mute] = [call('ann'), call('ann'), call('ann', false)];
    const inFlight = open(first, second, mute);
    expect(inFlight.owner()).toBe(second);
    expect(inFlight.audience()).toEqual([first, second, mute]);
    inFlight.end(second);
    expect(inFlight.owner()).toBe(first);
    inFlight.end(first);
    expect(inFlight.owner()).toBe(mute);
    inFlight.end(mute);
    expect(inFlight.owner()).toBeUndefined();
    expect(inFlight.audience()).toEqual([]);
    expect(inFlight.size).toBe(0);
  });

  it('of one person: a question is rather that of a call that waits for no answer; where each waits, of the latest', async () => {
    const [first, second, third, mute] = [call('ann'), call('ann'), call('ann'), call('ann', false)];
    const inFlight = open(first, second, third, mute);
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
    const asked = answers.map(({ promise }) => inFlight.asking(third, () => promise));
    expect(inFlight.owner()).toBe(second);
    const failed = Promise.withResolvers<string>();
    const failing = inFlight.asking(second, () => failed.promise);
    expect(inFlight.owner()).toBe(first);
    inFlight.end(first);
    expect(inFlight.owner()).toBe(third);
    failed.reject(new Error('gone'));
    await expect(failing).rejects.toThrow('gone');
    expect(inFlight.owner()).toBe(second);
    answers[0].resolve('one');
    expect(await asked[0]).toBe('one');
    expect(inFlight.owner()).toBe(second);
    answers[1].resolve('two');
    expect(await asked[1]).toBe('two');
    expect(inFlight.owner()).toBe(third);
  });

  it('of two people: a question is nobody’s, also while one of them waits for an answer', async () => {
    const [ann, bob] = [call('ann'), call('bob')];
    const inFlight = open(ann, bob);
    const answer = Promise.withResolvers<void>();
    const asked = inFlight.asking(bob, () => answer.promise);
    expect(inFlight.owner()).toBeUndefined();
    answer.resolve();
    await asked;
  });

  it('are ambiguous where people differ, not where none or one has any', () => {
    const [ann, bob] = [call('ann'), call('bob')];
    const inFlight = open();
    expect(inFlight.isAmbiguous).toBe(false);
    for (const one of [ann, call('ann')]) inFlight.begin(one);
    expect(inFlight.isAmbiguous).toBe(false);
    inFlight.begin(bob);
    expect(inFlight.isAmbiguous).toBe(true);
    inFlight.end(bob);
    expect(inFlight.isAmbiguous).toBe(false);
  });

  it('of two people: a question that names no task is nobody’s, and of no call is guessed', () => {
    const inFlight = open(call('ann'), call('bob'), call('ann'));
    expect(inFlight.owner()).toBeUndefined();
    expect(inFlight.owner('t1')).toBeUndefined();
    expect(inFlight.audience()).toEqual([]);
  });

  it('that one of two gave up: a question is the other’s once it was answered, or half a minute later', () => {
    let now = 0;
    const inFlight = createCallsInFlight(streams, () => now);
    const [ann, ...left] = [call('ann'), call('bob'), call('bob')];
    inFlight.begin(ann!);
    for (const [request, one] of left.entries()) {
      inFlight.begin(one);
      inFlight.leave(one, request);
    }
    const isNobodys = () => inFlight.isAmbiguous && inFlight.owner() === undefined;
    expect(isNobodys()).toBe(true);
    expect(inFlight.audience()).toEqual([]);
    inFlight.answered(0);
    now = 29_999;
    expect(isNobodys()).toBe(true);
    now = 30_000;
    expect(inFlight.isAmbiguous).toBe(false);
    expect(inFlight.owner()).toBe(ann);
    inFlight.leave(call('bob'), 2);
    expect(isNobodys()).toBe(true);
    inFlight.answered(2);
    expect(inFlight.owner()).toBe(ann);
    expect(inFlight.audience()).toEqual([ann]);
  });

  it('that their own caller gave up: questions are of the next call of that caller, and of no call nobody’s', () => {
    const inFlight = open(call('ann'));
    inFlight.leave(call('ann'), 1);
    expect(inFlight.owner()).toBeDefined();
    const none = open();
    none.leave(call('ann'), 1);
    expect(none.owner()).toBeUndefined();
    expect(none.isAmbiguous).toBe(false);
  });

  it('finds the one whose task a question names, while it is open', () => {
    const [ann, bob] = [call('ann', true, 't1'), call('bob', true, 't2')];
    const inFlight = open(ann, bob);
    expect(inFlight.owner('t1')).toBe(ann);
    expect(inFlight.owner('t2')).toBe(bob);
    expect(inFlight.owner('t3')).toBeUndefined();
    inFlight.end(bob);
    inFlight.begin(call('eve'));
    expect(inFlight.owner('t2')).toBeUndefined();
  });
});

describe('what arrives on the stream of a request', () => {
  it('belongs to its call while that is open, whatever it says of tasks', () => {
    const inFlight = createCallsInFlight(true);
    const [ann, bob] = [call('ann', true, 't1'), call('bob', false)];
    inFlight.begin(ann);
    inFlight.begin(bob);
    expect(inFlight.isAmbiguous).toBe(true);
    inFlight.within(bob, () => {
      expect(inFlight.isAmbiguous).toBe(false);
      expect(inFlight.owner()).toBe(bob);
      expect(inFlight.owner('t1')).toBe(bob);
      expect(inFlight.audience()).toEqual([bob]);
    });
  });

  it('is nothing to a call that has ended', () => {
    const inFlight = createCallsInFlight(true);
    const [ann, bob, eve] = [call('ann'), call('bob'), call('eve')];
    for (const one of [ann, bob, eve]) inFlight.begin(one);
    inFlight.end(bob);
    inFlight.within(bob, () => {
      expect(inFlight.owner()).toBeUndefined();
      expect(inFlight.audience()).toEqual([]);
    });
  });

  it('is for the same person alone once its call has ended, not for whoever happens to be the only other one', () => {
    const inFlight = createCallsInFlight(true);
    const [ann, bob, later] = [call('ann', true, 't1'), call('bob'), call('bob', true, 't2')];
    inFlight.begin(ann);
    inFlight.within(bob, () => {
      expect(inFlight.owner()).toBeUndefined();
      expect(inFlight.owner('t1')).toBeUndefined();
      expect(inFlight.audience()).toEqual([]);
      inFlight.begin(later);
      expect(inFlight.isAmbiguous).toBe(false);
      expect(inFlight.owner()).toBe(later);
      expect(inFlight.owner('t2')).toBe(later);
      expect(inFlight.audience()).toEqual([later]);
    });
  });

  it('belongs to no call where the connection outlives the one that opened it', () => {
    const inFlight = createCallsInFlight(true);
    const [ann, bob] = [call('ann'), call('bob')];
    inFlight.begin(ann);
    inFlight.begin(bob);
    inFlight.within(bob, () => inFlight.outside(() => expect(inFlight.owner()).toBeUndefined()));
  });

  it('is told from nothing on a channel that all requests share', () => {
    const inFlight = createCallsInFlight(false);
    const [ann, bob] = [call('ann'), call('bob')];
    inFlight.begin(ann);
    inFlight.begin(bob);
    inFlight.within(bob, () => expect(inFlight.owner()).toBeUndefined());
  });
});
