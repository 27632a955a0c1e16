export type { GatewayAdmin, StoredArtifact } from './gateway-admin.ts';
export {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type RequestOwner,
} from './http-server.ts';
