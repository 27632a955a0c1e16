export { type FramedResult, frameToolResults, SYNTHESIS_PROMPT } from './frame-results.ts';
export { guardMarkdown } from './guard-markdown.ts';
export { type Hardened, hardenResult } from './harden-result.ts';
