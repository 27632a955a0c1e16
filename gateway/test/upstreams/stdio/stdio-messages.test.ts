import { expect, test } from 'vitest';
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

// a stack trace, an object that was printed: clients pass over them, and the answer comes behind
test.each([
  ['at the start', []],
  ['later', [NOTICE]],
])(
  'stray lines in a row are passed over %s, a thousand of them; a message begins a new row',
  (_when, before) => {
    const { said, strayLines } = read(...before, ...stray(1000), NOTICE, ...stray(1001));
    expect(said.filter((what) => typeof what === 'string')).toEqual([
      '1001 lines in a row on stdout are no MCP messages',
    ]);
    expect(typeof said.at(-1)).toBe('string');
    expect(strayLines).toBe(2001);
  },
);
