export type { KeepRule } from './keep-output.ts';
export { normalizeResult } from './normalize-result.ts';
export { hardenChannel } from './untrusted/harden-channel.ts';
export { hardenFailure } from './untrusted/harden-failure.ts';
export { askingRule, hardenQuestions } from './untrusted/harden-question.ts';
export { hardenCompletion, hardenMeta, hardenPrompt, hardenResource } from './untrusted/harden-reads.ts';
