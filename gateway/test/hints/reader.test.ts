import { describe, expect, it } from 'vitest';
import { type HintReader, hintReaders } from '../../src/hints/index.ts';

const reader = (name: string, extension: string): HintReader => ({
  name,
  extension,
  read: () => ({ purpose: name }),
});

describe('hint readers', () => {
  it('read x-llm-hints as it stands where nothing else is said', () => {
    const [plain, ...others] = hintReaders();
    expect(others).toEqual([]);
    expect(plain!.extension).toBe('x-llm-hints');
    expect(plain!.read({ purpose: 'p' })).toEqual({ purpose: 'p' });
    expect([plain!.read('text'), plain!.read([]), plain!.read({})]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("are those of the embedder beside the configuration's extension, which they may replace", () => {
    expect(hintReaders([reader('mine', 'x-mine')], 'x-my-hints').map(({ name }) => name)).toEqual([
      'x-my-hints',
      'mine',
    ]);
    expect(hintReaders([reader('mine', 'x-llm-hints')]).map(({ name }) => name)).toEqual(['mine']);
  });

  it.each([
    ['an extension that is none', [reader('mine', 'summary')], 'begins with x-'],
    ['two of one extension', [reader('a', 'x-a'), reader('b', 'x-a')], 'Two hint readers'],
  ])('%s is refused', (_, readers, message) => {
    expect(() => hintReaders(readers)).toThrow(message);
  });
});
