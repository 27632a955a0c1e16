import { expect, it } from 'vitest';
import { readSignIn, withGrant } from '../../../src/credentials/sign-in/sign-in-record.ts';

const WHOLE = {
  tokenUrl: 'https://id.example/token',
  clientId: 'crib',
  accessToken: 'access',
  refreshToken: 'refresh',
  issuedAt: 1_000,
  expiresAt: 2_000,
  scopes: ['read'],
};

it('a record is read as it was written', () => {
  expect(readSignIn(JSON.parse(JSON.stringify(WHOLE)))).toEqual(WHOLE);
});

it.each(['tokenUrl', 'clientId', 'accessToken', 'issuedAt'])('without %s it is none', (name) => {
  expect(readSignIn({ ...WHOLE, [name]: undefined })).toBeUndefined();
  expect(readSignIn({ ...WHOLE, [name]: '' })).toBeUndefined();
});

it('what is of another type in it is left out', () => {
  const { refreshToken: _, expiresAt: __, ...rest } = WHOLE;
  expect(readSignIn({ ...WHOLE, refreshToken: '', expiresAt: '2000', scopes: ['read', 7] })).toEqual(rest);
});

it('a renewal keeps what the provider does not say anew', () => {
  expect(withGrant(WHOLE, { accessToken: 'next' }, 5_000)).toEqual({
    tokenUrl: WHOLE.tokenUrl,
    clientId: 'crib',
    accessToken: 'next',
    refreshToken: 'refresh',
    issuedAt: 5_000,
    scopes: ['read'],
  });
});

it('a renewal takes what the provider says anew', () => {
  const grant = { accessToken: 'next', refreshToken: 'rotated', expiresInSeconds: 60, scopes: [] };
  expect(withGrant(WHOLE, grant, 5_000)).toMatchObject({
    refreshToken: 'rotated',
    expiresAt: 65_000,
    scopes: [],
  });
});
