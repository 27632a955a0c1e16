import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../src/credentials/sign-in/browser-answer.ts';
import { signInByCode } from '../../../src/credentials/sign-in/sign-in-by-code.ts';
import type { Egress } from '../../../src/egress/egress.ts';

const ISSUER = 'https://login.example';
const EVIL = 'https://evil.example';
const code = (answer: Record<string, string>, mustBeNamed?: boolean) =>
  codeOf(
    new URLSearchParams(answer),
    'pets',
    mustBeNamed === undefined ? undefined : { is: ISSUER, mustBeNamed },
  );

describe('the code of an answer', () => {
  it.each<[string, Record<string, string>, boolean | undefined]>([
    ['of our issuer', { code: 'one', iss: ISSUER }, true],
    ['that names no issuer and need not', { code: 'one' }, false],
    ['of any issuer where none is known', { code: 'one', iss: EVIL }, undefined],
  ])('is used: %s', (_, answer, mustBeNamed) => {
    expect(code(answer, mustBeNamed)).toBe('one');
  });

  it.each<[string, Record<string, string>, boolean, string]>([
    ['of another issuer', { code: 'one', iss: EVIL }, false, 'credentials_refused'],
    ['that names no issuer and must', { code: 'one' }, true, 'credentials_refused'],
    ['an error of another issuer', { error: 'access_denied', iss: EVIL }, false, 'credentials_refused'],
    ['an empty one', { code: '', iss: ISSUER }, true, 'authorization_required'],
  ])('is not used: %s', (_, answer, mustBeNamed, expected) => {
    expect(() => code(answer, mustBeNamed)).toThrow(expect.objectContaining({ code: expected }));
  });
});

it('a sign-in takes no code of another issuer than the one that was discovered', async () => {
  const plan = {
    source: 'pets',
    authorizationUrl: `${ISSUER}/authorize`,
    client: { clientId: 'crib', clientAuthentication: 'basic', tokenUrl: `${ISSUER}/token` } as const,
    scopes: [],
    issuer: ISSUER,
  };
  const signedIn = signInByCode(plan, {
    egress: {} as Egress,
    announce: () => {},
    now: Date.now,
    signal: AbortSignal.timeout(8_000),
    onUrl(url, offer) {
      const { searchParams } = new URL(url);
      const answer = new URL(searchParams.get('redirect_uri')!);
      answer.search = String(
        new URLSearchParams({ state: searchParams.get('state')!, code: 'one', iss: EVIL }),
      );
      expect(offer(answer.href)).toBe(true);
    },
  });
  await expect(signedIn).rejects.toMatchObject({ code: 'credentials_refused' });
});
