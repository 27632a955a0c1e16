export { createTokenCounter, inPieces } from './count-tokens.ts';
