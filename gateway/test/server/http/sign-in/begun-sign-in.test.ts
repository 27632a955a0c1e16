import { expect, it } from 'vitest';
import { newSecret } from '../../../../src/server/http/sessions/session-secret.ts';
import { BEGUN, begunIn, begunText } from '../../../../src/server/http/sign-in/begun-sign-in.ts';

const ORIGIN = 'http://127.0.0.1:8787';
const begunBy = (value: string) =>
  begunIn(new Request(`${ORIGIN}/sign-in/answer`, { headers: { cookie: `${BEGUN}_8787=${value}` } }), ORIGIN);

const begun = { state: newSecret(), verifier: newSecret(), nonce: newSecret(), back: '/tools/日本' };

it('is read as it was begun', () => {
  expect(begunBy(begunText(begun))).toEqual(begun);
});

it.each<[string, string]>([
  ['with a state that is no secret', begunText({ ...begun, state: 'x' })],
  ['with a verifier that is no secret', begunText({ ...begun, verifier: '' })],
  ['with a nonce that is no secret', begunText({ ...begun, nonce: 'x'.repeat(44) })],
  ['with more than there is', `${begunText(begun)}.x`],
  ['that is empty', ''],
])('a cookie %s began nothing', (_, value) => {
  expect(begunBy(value)).toBeUndefined();
});
