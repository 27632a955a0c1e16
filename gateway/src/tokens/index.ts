export { createTokenCounter } from './count-tokens.ts';
export { estimateTokens } from './estimate-tokens.ts';
