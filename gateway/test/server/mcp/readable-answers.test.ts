import { describe, expect, test } from 'vitest';
import { readableAnswers, readableMessage } from '../../../src/server/mcp/readable-answers.ts';

const answer = (result: unknown) => ({ jsonrpc: '2.0', id: 1, result });
const FILE = { uri: 'file:///a', name: 'A' };

describe('an answer of a client', () => {
  test.each([
    [
      'a field left empty',
      { action: 'accept', content: { a: 'x', b: null, c: false, d: 0, e: '' } },
      { action: 'accept', content: { a: 'x', c: false, d: 0, e: '' } },
    ],
    [
      'members that a sampled message leaves empty',
      {
        role: 'assistant',
        model: 'm',
        stopReason: null,
        content: [{ type: 'text', text: 'a', annotations: null, _meta: null }, 7],
      },
      { role: 'assistant', model: 'm', content: [{ type: 'text', text: 'a' }, 7] },
    ],
    [
      'members that its only part leaves empty',
      {
        role: 'assistant',
        model: 'm',
        content: { type: 'tool_use', id: '1', name: 'x', input: { a: null }, _meta: null },
      },
      {
        role: 'assistant',
        model: 'm',
        content: { type: 'tool_use', id: '1', name: 'x', input: { a: null } },
      },
    ],
    [
      'members that a choice leaves empty',
      { action: 'cancel', content: null, _meta: null },
      { action: 'cancel' },
    ],
    [
      'roots that are no files',
      { roots: [FILE, { uri: 'https://example.com/' }, { uri: 7 }, 'file:///b', null], _meta: { a: 1 } },
      { roots: [FILE], _meta: { a: 1 } },
    ],
  ])('without %s', (_what, given, readable) => {
    expect(readableMessage(answer(given))).toEqual(answer(readable));
    expect(readableAnswers({ first: given, other: 'x' })).toEqual({ first: readable, other: 'x' });
  });

  test.each([
    answer({ action: 'accept', content: { a: 'x' } }),
    answer({ action: 'decline', content: { a: null } }),
    answer({ action: 'accept', content: [null] }),
    answer({ roots: [FILE] }),
    answer({ roots: 'x' }),
    answer(null),
    { jsonrpc: '2.0', id: 1, method: 'tools/call', result: { action: 'accept', content: { a: null } } },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'm' } },
    'text',
    undefined,
  ])('%j as it is', (message) => {
    expect(readableMessage(message)).toBe(message);
  });
});
