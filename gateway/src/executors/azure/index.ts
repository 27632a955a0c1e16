export { type ArgumentAdvice, createArgumentAdvice } from './argument-advice.ts';
export { type AzureExecutorOptions, createAzureExecutor } from './azure-executor.ts';
export type * from './connector-room.ts';
export { isAdmin } from './consent.ts';
export {
  createDynamicSchemas,
  type DynamicSchemas,
  type SchemaProblem,
  type ValidateValue,
} from './dynamic-schema.ts';
export { type ConnectorRequest, connectorRequest, envelopeOf } from './envelope.ts';
export { createHelperCalls, type HelperCalls } from './helper-calls.ts';
export {
  createParameterOptions,
  type FindParameterOptions,
  type OptionsQuestion,
} from './parameter-options.ts';
