export { type AzureRoomOptions, createAzureRoom } from './azure-room.ts';
export type { Clock } from './clock.ts';
export { createOwnTools, type OwnToolsOptions } from './own-tools/create-own-tools.ts';
export type { ConnectorCatalog } from './own-tools/own-tool.ts';
export type { AzureRoom } from './room.ts';
