import { describe, expect, test } from 'vitest';
import { createMessageReader } from '../../../src/upstreams/stdio/stdio-messages.ts';

const message = (more: object) => JSON.stringify({ jsonrpc: '2.0', ...more });
const NOTICE = message({ method: 'notifications/message' });

/** What the reader said of each of these lines. */
const read = (...lines: readonly string[]) => {
  const reader = createMessageReader();
  return { said: lines.map((line) => reader.read(line)), strayLines: reader.strayLines };
};
const stray = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);

test.each([
  { method: 'ping', id: 1 },
  { method: 'notifications/message' },
  { id: 1, result: {} },
  { id: 1, error: { code: 1, message: '' } },
  { error: { code: 1, message: '' } },
])('%j is a message', (more) => {
  expect(read(message(more))).toEqual({ said: [{ jsonrpc: '2.0', ...more }], strayLines: 0 });
});

test.each([
  message({ id: 1 }),
  message({ result: {} }),
  '{"jsonrpc":"1.0","method":"ping"}',
  '{"jsonrpc":"2.0","method":',
  `{"jsonrpc":"2.0","method":"ping"} and more`,
])('%s is a message that is cut or mixed', (line) => {
  expect(read(line).said).toEqual([expect.stringContaining('cut or mixed')]);
});

test.each(['{"method":"ping","id":1}', '"text"', '7', 'null', '[]', 'Server ready'])(
  '%s is a stray line',
  (line) => {
    expect(read(line)).toEqual({ said: [undefined], strayLines: 1 });
  },
);

test.each(['a\u0000b', 'a\ufffdb'])('bytes that are no text are refused at once (%j)', (line) => {
  expect(read(line).said).toEqual([expect.stringContaining('no text')]);
});

test('empty lines are nothing', () => {
  expect(read('', '  ', '\t')).toEqual({ said: [undefined, undefined, undefined], strayLines: 0 });
});

describe('stray lines in a row', () => {
  test('are passed over at the start, 20 of them', () => {
    const { said } = read(...stray(21));
    expect(said.slice(0, 20)).toEqual(Array(20).fill(undefined));
    expect(said[20]).toContain('21 lines in a row');
  });

  test('are passed over later, three of them; a message begins a new row', () => {
    const { said, strayLines } = read(NOTICE, ...stray(3), NOTICE, ...stray(4));
    expect(said.filter((what) => typeof what === 'string')).toEqual([
      expect.stringContaining('4 lines in a row'),
    ]);
    expect(typeof said.at(-1)).toBe('string');
    expect(strayLines).toBe(7);
  });
});
