export { buildRequest } from './build-request.ts';
export { createHttpExecutor } from './http-executor.ts';
