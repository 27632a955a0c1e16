export { idOf } from './session-secret.ts';
export { createSignInCodes, createSignInLinks, signInLink } from './sign-in-codes.ts';
