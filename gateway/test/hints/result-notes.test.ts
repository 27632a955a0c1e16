import { describe, expect, it } from 'vitest';
import { readHints, resultNotes } from '../../src/hints/index.ts';

describe('what hints say about an answer', () => {
  it.each([
    [{}, []],
    [
      { recommended_poll_interval: { value: 2, unit: 'minutes' } },
      ['Poll again after 120 s at the earliest.'],
    ],
    [{ cache_hint: 'short-lived' }, ['This changes often: ask again before relying on it.']],
    [{ cache_hint: 'short-term' }, ['This changes often: ask again before relying on it.']],
    [{ cache_hint: 'medium-lived' }, ['This stays valid for some minutes.']],
    [{ cache_hint: 'long-term' }, ['This rarely changes: it need not be asked for again soon.']],
    [{ cache_hint: 'whenever' }, []],
    [{ streaming_response: true }, ['The answer is a stream or a file.']],
    [{ streaming_response: false }, []],
  ])('%j', (hints, notes) => expect(resultNotes(readHints(hints))).toEqual(notes));
});
