export { type AzureRoomOptions, createAzureRoom } from './azure-room.ts';
export { type Clock, SYSTEM_CLOCK } from './clock.ts';
export { createOwnTools, type OwnToolsOptions } from './own-tools/create-own-tools.ts';
export type { ConnectorCatalog, FindAzureRoom } from './own-tools/own-tool.ts';
export type { AzureRoom } from './room.ts';
