export type { KeepRule } from './keep-output.ts';
export { normalizeResult } from './normalize-result.ts';
export { hardenChannel } from './untrusted/harden-channel.ts';
export { hardenPrompt, hardenResource } from './untrusted/harden-reads.ts';
export { hardenQuestion } from './untrusted/harden-result.ts';
