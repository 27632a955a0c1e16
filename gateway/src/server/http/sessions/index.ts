export { createSignInCodes, createSignInLinks, type SignInCodes, type SignInLinks } from './sign-in-codes.ts';
