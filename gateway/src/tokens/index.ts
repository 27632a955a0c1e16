export { createTokenCounter } from './count-tokens.ts';
