import type { SessionCredential } from '../../../principals/index.ts';

export const OPENED_WITH = ['owner', 'token', 'approver', 'key', 'sign-in', 'provider'] as const;

/** `sign-in`: a token that somebody showed; `provider`: somebody signed in at the identity provider for the console. */
export type OpenedWith = (typeof OPENED_WITH)[number];

export function openedWith(credential: SessionCredential): OpenedWith {
  return credential.kind === 'sign-in' && credential.client !== undefined ? 'provider' : credential.kind;
}
