export { createHttpServer, type HttpServer } from './http-server.ts';
