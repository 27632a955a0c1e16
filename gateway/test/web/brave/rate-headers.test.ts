import { expect, it } from 'vitest';
import { rateFacts } from '../../../src/web/brave/rate-headers.ts';

it.each([
  [
    '1;w=1, 15000;w=2592000',
    '0, 14523',
    '1, 1419704',
    { shortest: { limit: 1, windowMs: 1000 }, resetMs: 1000 },
  ],
  [
    '1;w=1, 15000;w=2592000',
    '1, 14523',
    '1, 1419704',
    { shortest: { limit: 1, windowMs: 1000 }, resetMs: 0 },
  ],
  [
    '15000;w=2592000, 20;w=1',
    '0, 0',
    '900, 1',
    { shortest: { limit: 20, windowMs: 1000 }, resetMs: 900_000 },
  ],
  [undefined, undefined, undefined, { resetMs: 0 }],
  ['rubbish', 'x, y', 'z', { resetMs: 0 }],
  ['1;w=0', '0', undefined, { resetMs: 0 }],
  [undefined, '0, 0', 'soon, 2', { resetMs: 2000 }],
  // as a plan without a monthly quota answers: a window of nothing is none
  ['50;w=1, 0;w=2678400', '49, 0', '1, 1296193', { shortest: { limit: 50, windowMs: 1000 }, resetMs: 0 }],
  ['50;w=1, 0;w=2678400', '0, 0', '1, 1296193', { shortest: { limit: 50, windowMs: 1000 }, resetMs: 1000 }],
  [
    '0;w=1, 15000;w=2592000',
    '0, 0',
    '1, 900',
    { shortest: { limit: 15_000, windowMs: 2_592_000_000 }, resetMs: 900_000 },
  ],
])('policy %s, remaining %s, reset %s', (policy, remaining, reset, facts) => {
  const headers = {
    ...(policy === undefined ? {} : { 'x-ratelimit-policy': policy }),
    ...(remaining === undefined ? {} : { 'x-ratelimit-remaining': remaining }),
    ...(reset === undefined ? {} : { 'x-ratelimit-reset': reset }),
  };
  expect(rateFacts(headers)).toEqual(facts);
});
