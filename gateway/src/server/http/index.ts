export { capabilityProfile } from './capability-profile.ts';
export type { Authenticate } from './guards.ts';
export { createHttpServer, type HttpServer, type HttpServerOptions } from './http-server.ts';
