import { describe, expect, it } from 'vitest';
import { isSignInPage } from '../../../src/executors/http/sign-in-page.ts';
import { operationOf } from './operation-under-test.ts';

const bytes = (html: string) => new TextEncoder().encode(html);
const nothing = bytes('<html><body>Welcome</body></html>');
const listing = operationOf({ path: '/pets' }, { id: 'listPets' });

describe('a page to sign in at', () => {
  it.each([
    '/login',
    '/admin/login/',
    '/users/sign_in',
    '/account/logon',
    '/Special:UserLogin',
    '/oauth2/v2.0/authorize',
    '/idp/profile/SAML2/Redirect/SSO',
    'https://idp.example.org/realms/shop/protocol/openid-connect/auth',
    'https://auth.example.org/',
    'https://login.example.org/start',
  ])('is told by its address: %s', (redirectedTo) => {
    expect(isSignInPage(redirectedTo, nothing, listing)).toBe(true);
  });

  it.each([
    '/pets/',
    '/blog/in',
    '/logs',
    '/catalogin',
    '/authors',
    '/signs/1',
    'https://cdn.example.org/file',
  ])('is not told by %s', (redirectedTo) => {
    expect(isSignInPage(redirectedTo, nothing, listing)).toBe(false);
  });

  it.each([
    '<form><input type="password" name="p"></form>',
    "<INPUT name='p' TYPE='password'>",
    '<input\n  id=p\n  type=password required>',
  ])('is told by its field: %s', (html) => {
    expect(isSignInPage('/', bytes(html), listing)).toBe(true);
  });

  it.each([
    '<input type="text" placeholder="password">',
    '<p>type="password"</p>',
    '<input> type="password"',
  ])('is not told by %s', (html) => {
    expect(isSignInPage('/', bytes(html), listing)).toBe(false);
  });

  it.each([
    ['/logout', 'logout'],
    ['/users/{id}/password', 'changePassword'],
    ['/account', 'register'],
    ['/sessions', 'createSession'],
    ['/v1/sign-out', 'leave'],
    ['/authorize', 'grant'],
  ])('is where %s (%s) leads when all went well', (path, id) => {
    expect(isSignInPage('/login', bytes('<input type=password>'), operationOf({ path }, { id }))).toBe(false);
  });

  it('is looked for in no time, however a page is made', () => {
    expect(isSignInPage('/', bytes('<input '.repeat(100_000)), listing)).toBe(false);
  });
});
