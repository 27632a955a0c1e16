export * from './connect-sessions.ts';
export { regionOfExtension } from './data-centre.ts';
export type { ConnectionConfig } from './nango-credential.ts';
export { NANGO_CLOUD, type NangoServerSettings } from './nango-server.ts';
