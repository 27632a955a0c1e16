export { createHttpServer, type HttpServer, type HttpServerOptions } from './http-server.ts';
