import { expect, it } from 'vitest';
import { isSameOrigin } from '../../../../src/server/http/sessions/same-origin.ts';

it.each<[boolean, Record<string, string>]>([
  [true, {}],
  [true, { 'sec-fetch-site': 'same-origin' }],
  // typed in, or a bookmark
  [true, { 'sec-fetch-site': 'none' }],
  [false, { 'sec-fetch-site': 'same-site' }],
  [false, { 'sec-fetch-site': 'cross-site' }],
  [false, { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1:8787' }],
  [true, { origin: 'http://127.0.0.1:8787' }],
  [true, { origin: 'http://crib.example.com', host: 'CRIB.example.com' }],
  [false, { origin: 'http://127.0.0.1:9000' }],
  [false, { origin: 'http://localhost:8787' }],
  [false, { origin: 'null' }],
])('%j: %j', (expected, headers) => {
  const request = new Request('http://127.0.0.1:8787/api/v1/session', { headers });
  expect(isSameOrigin(request)).toBe(expected);
});
