import { expect, test } from 'vitest';
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
