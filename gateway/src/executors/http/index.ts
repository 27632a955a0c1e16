export { buildRequest } from './build-request.ts';
export { createHttpExecutor, type HttpExecutorOptions } from './http-executor.ts';
export * from './retry.ts';
