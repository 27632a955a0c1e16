export { createTokenCounter, inPieces, type TokenCounter } from './count-tokens.ts';
