export { type Agents, openAgents } from './agents.ts';
export { checkRedirect, checkUrl } from './check-url.ts';
export { createEgress } from './create-egress.ts';
export * from './egress.ts';
export { failureCode, proxyAdvice } from './failure-code.ts';
export { isTimeout } from './lifetime.ts';
export { callOnce, isReadingMethod, type Outcome, outcomeOf } from './outcome.ts';
export { decodeText } from './text.ts';
export { tlsAdvice } from './tls-fault.ts';
