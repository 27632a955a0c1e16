import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { named, refusedAnswer } from '../../../src/upstreams/transports/refused-answer.ts';

const REQUEST: JSONRPCMessage = {
  jsonrpc: '2.0',
  id: 7,
  method: 'completion/complete',
  params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
};
const ERROR = { code: -32601, message: 'Method not found', data: { a: 1 } };
const ANSWER = { jsonrpc: '2.0', id: 7, error: ERROR };
const refusal = (status: number, body: unknown) => ({ data: { status, text: JSON.stringify(body) } });

test.each([404, 500])('an error of JSON-RPC with HTTP %i answers the request', (status) => {
  expect(refusedAnswer(refusal(status, ANSWER), REQUEST)).toEqual(ANSWER);
});

test.each<[string, unknown, JSONRPCMessage]>([
  ['another status', refusal(403, ANSWER), REQUEST],
  ['another id', refusal(404, { ...ANSWER, id: 8 }), REQUEST],
  ['no id', refusal(404, { ...ANSWER, id: null }), REQUEST],
  ['no error', refusal(404, { jsonrpc: '2.0', id: 7, result: {} }), REQUEST],
  ['an error without a message', refusal(404, { ...ANSWER, error: { code: 1 } }), REQUEST],
  ['an error without a code', refusal(404, { ...ANSWER, error: { message: 'm' } }), REQUEST],
  ['a page', { data: { status: 404, text: '<h1>Not found</h1>' } }, REQUEST],
  ['no text', { data: { status: 404 } }, REQUEST],
  ['a broken connection', new TypeError('fetch failed'), REQUEST],
  ['nothing', undefined, REQUEST],
  // there 404 may mean that the session is unknown
  ['a request of an older revision', refusal(404, ANSWER), { ...REQUEST, params: {} }],
  ['a notification', refusal(404, ANSWER), { jsonrpc: '2.0', method: 'notifications/cancelled' }],
])('%s answers nothing', (_what, error, request) => {
  expect(refusedAnswer(error, request)).toBeUndefined();
});

test.each([
  [{ error: ERROR }, { id: 7, error: ERROR }],
  [
    { id: null, error: ERROR },
    { id: 7, error: ERROR },
  ],
  [{ id: 8, error: ERROR }, undefined],
  [{ id: null, result: {} }, undefined],
  [[{ id: null, error: ERROR }], undefined],
  ['text', undefined],
])('an answer that names no request, and is an error: %j', (answer, expected) => {
  expect(named(answer, 7)).toEqual(expected ?? answer);
});
