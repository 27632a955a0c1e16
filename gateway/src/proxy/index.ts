export { createProxy, type ForwardProxyRequest } from './create-proxy.ts';
export type { ProxyCall, ProxySource } from './proxy-types.ts';
