export { type ArgumentAdvice, createArgumentAdvice } from './argument-advice.ts';
export { createAzureExecutor } from './azure-executor.ts';
export type * from './connector-room.ts';
export { isAdmin } from './consent.ts';
export { createDynamicSchemas } from './dynamic-schema.ts';
export { connectorRequest, envelopeOf } from './envelope.ts';
export { createHelperCalls } from './helper-calls.ts';
export { createParameterOptions } from './parameter-options.ts';
