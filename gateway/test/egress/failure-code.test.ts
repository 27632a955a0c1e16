import { expect, it } from 'vitest';
import { EgressFailure, type FailureKind, type Sent } from '../../src/egress/egress.ts';
import { failureCode } from '../../src/egress/failure-code.ts';
import type { ErrorCode } from '../../src/errors.ts';

it.each<[FailureKind, Sent, ErrorCode]>([
  ['egress_blocked', 'none', 'egress_blocked'],
  ['request_invalid', 'none', 'arguments_invalid'],
  ['timeout', 'none', 'deadline_exceeded'],
  ['timeout', 'all', 'deadline_exceeded'],
  ['cancelled', 'none', 'cancelled'],
  ['too_large', 'all', 'upstream_too_large'],
  ['connect_refused', 'none', 'upstream_unreachable'],
  ['dns', 'none', 'upstream_unreachable'],
  ['reset', 'none', 'upstream_unreachable'],
  ['reset', 'some', 'upstream_failed'],
  ['malformed', 'all', 'upstream_failed'],
  // it answered, whatever became of the write
  ['redirect', 'none', 'upstream_failed'],
])('%s with %s sent is %s', (kind, sent, code) => {
  expect(failureCode(new EgressFailure(kind, sent, 'It failed.'))).toBe(code);
});
