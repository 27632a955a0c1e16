export { createSignInCodes, createSignInLinks } from './sign-in-codes.ts';
