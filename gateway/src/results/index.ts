export type { KeepRule } from './keep-output.ts';
export { normalizeResult } from './normalize-result.ts';
export { hardenChannel } from './untrusted/harden-channel.ts';
