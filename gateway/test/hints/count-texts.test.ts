import { describe, expect, it } from 'vitest';
import { countTexts } from '../../src/hints/count-texts.ts';

type Line = readonly [text: string | undefined, key?: string];

function counted(...operations: ReadonlyArray<readonly Line[]>) {
  return countTexts(operations, (lines, say) => {
    for (const [text, key] of lines) say(text, key);
  });
}

describe('texts of many operations', () => {
  it('count together where they say the same, in the spelling that is met first', () => {
    expect(counted([['Look again.']], [['look  again']], [['Look again.']])).toEqual([
      { key: '', text: 'Look again.', count: 3 },
    ]);
  });

  it('a text that is spelled like what another one means is not taken for it', () => {
    expect(counted([['wait..']], [['wait.']])).toEqual([
      { key: '', text: 'wait..', count: 1 },
      { key: '', text: 'wait.', count: 1 },
    ]);
  });

  it('are told apart by their key, and met in any key they keep their order', () => {
    expect(
      counted(
        [['Look.', '404']],
        [['Look.', '403']],
        [
          ['Wait.', '404'],
          ['Look.', '403'],
        ],
      ),
    ).toEqual([
      { key: '403', text: 'Look.', count: 2 },
      { key: '404', text: 'Look.', count: 1 },
      { key: '404', text: 'Wait.', count: 1 },
    ]);
  });

  it('count once for an operation that says them twice, in any spelling', () => {
    expect(counted([['Wait.'], ['wait'], ['Wait.']], [['WAIT']])).toEqual([
      { key: '', text: 'Wait.', count: 2 },
    ]);
  });

  it('that are not there say nothing', () => {
    expect(counted([[undefined]], [])).toEqual([]);
  });
});
