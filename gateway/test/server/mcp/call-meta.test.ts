import { describe, expect, test } from 'vitest';
import { callMeta } from '../../../src/server/mcp/call-meta.ts';

const approval = 'ab'.repeat(16);
const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

test.each([
  [undefined, {}],
  [null, {}],
  [{ progressToken: 1 }, {}],
  [
    { 'toolcrib/run': 'run-1', 'toolcrib/approval': approval, traceparent },
    { run: 'run-1', approval, traceparent },
  ],
  [{ 'toolcrib/run': '', 'toolcrib/approval': 'yes', traceparent: 'x' }, {}],
  [{ 'toolcrib/run': 'a\nb', 'toolcrib/approval': true, traceparent: 7 }, {}],
  [{ 'toolcrib/run': 'r'.repeat(129) }, {}],
])('of %j counts %j', (meta, counts) => {
  expect(callMeta(meta)).toEqual(counts);
});

describe('the trace context of the HTTP request', () => {
  const header = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const own = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`;
  const request = new Request('http://127.0.0.1/mcp', { headers: { traceparent: header } });

  test.each([
    ['counts where the call has none', undefined, header],
    ['counts beside other members', { 'toolcrib/run': 'r1' }, header],
    ["gives way to the call's own", { traceparent: own }, own],
  ])('%s', (_name, meta, expected) => {
    expect(callMeta(meta, request).traceparent).toBe(expected);
  });

  test.each([
    ['comes with its state', undefined, { traceparent: header, tracestate: 'a=1,b=2' }],
    ['takes no part in a context that the call has', { traceparent: own }, { traceparent: own }],
    [
      'leaves the state to the call too',
      { traceparent: own, tracestate: 'c=3' },
      { traceparent: own, tracestate: 'c=3' },
    ],
    [
      'is no state for a call without parent',
      { tracestate: 'c=3' },
      { traceparent: header, tracestate: 'a=1,b=2' },
    ],
  ])('%s', (_name, meta, expected) => {
    const headers = new Headers({ traceparent: header, tracestate: 'a=1' });
    headers.append('tracestate', 'b=2');
    expect(callMeta(meta, new Request('http://127.0.0.1/mcp', { headers }))).toEqual(expected);
  });

  test('is left out where it is none', () => {
    const nonsense = new Request('http://127.0.0.1/mcp', { headers: { traceparent: 'x' } });
    expect(callMeta(undefined, nonsense)).toEqual({});
  });
});
