export { idOf } from './session-secret.ts';
export { createSignInCodes, signInLink } from './sign-in-codes.ts';
