export { faultAnswer, REFUSALS, refused } from './answers.ts';
export { createProxy, type ForwardProxyRequest, type ProxyParts, type ProxyScope } from './create-proxy.ts';
export {
  PROXY_TOOL,
  type ProxyAnswer,
  type ProxyCall,
  type ProxyRequest,
  type ProxySource,
} from './proxy-types.ts';
