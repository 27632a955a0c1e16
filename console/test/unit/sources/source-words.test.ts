import { describe, expect, it } from 'vitest';
import { healthOf, lacksTitle, lacksWord } from '../../../src/pages/sources/source-words.ts';

describe('calls that lack a credential', () => {
  const lacks = (calls: number, of: number) => ({ calls, of, message: '', next: '' });

  it.each([
    [3, 3, 3, 'credential missing', 'Every call would fail'],
    [20, 20, 358, 'credential missing', 'Calls would fail: all 20 operations that were looked at'],
    [2, 20, 358, 'credential missing for some calls', 'Some calls would fail'],
  ])('%i of %i, of %i operations', (calls, of, operations, word, title) => {
    expect(lacksWord(lacks(calls, of))).toBe(word);
    expect(lacksTitle(lacks(calls, of), operations)).toBe(title);
  });
});

describe('a source that was read', () => {
  it.each([
    [{ operations: 3, tools: 3 }, 'well', 'It was read, and its tools are served.'],
    // a user of a team is told the operations alone
    [{ operations: 3 }, 'well', 'It was read, and its tools are served.'],
    [{ operations: 0 }, 'no tools', 'It was read, and brings no tools.'],
    [{ operations: 0, tools: 0, skipped: 1 }, 'no tools', 'Its one operation was left out.'],
    [{ operations: 0, tools: 0, skipped: 1200 }, 'no tools', 'All 1,200 operations were left out.'],
    [
      { operations: 2, tools: 0, drift: { waiting: 2, rejected: 0 } },
      'no tools',
      'All 2 definitions wait to be accepted.',
    ],
    [
      { operations: 1, tools: 0, drift: { waiting: 0, rejected: 1 } },
      'no tools',
      'Its one definition is held back.',
    ],
  ])('%o', (source, word, meaning) => {
    expect(healthOf({ health: 'ok', ...source })).toMatchObject({ word, meaning });
  });

  it('and cannot be now is failing, whatever it brings', () => {
    expect(healthOf({ health: 'failing', operations: 0, tools: 0 }).word).toBe('failing');
  });
});
