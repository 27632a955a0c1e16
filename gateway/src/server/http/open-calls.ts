import type { GatewayCore } from '../../gateway-core.ts';
import { countOpenWork, type OpenWork } from '../../operations/work/open-work.ts';
import type { ForwardProxyRequest } from '../../proxy/create-proxy.ts';

/** The gateway, with its open calls counted: a closing server waits for them. */
export interface OpenCalls<T> extends Pick<OpenWork, 'settled'> {
  readonly gateway: T;
}

export function countOpenCalls<T extends GatewayCore & { readonly proxy?: ForwardProxyRequest }>(
  gateway: T,
): OpenCalls<T> {
  const { run, settled } = countOpenWork();
  const core: Pick<GatewayCore, 'call' | 'readResource' | 'getPrompt'> = {
    call: (request) => run(() => gateway.call(request)),
    readResource: (uri, request) => run(() => gateway.readResource(uri, request)),
    getPrompt: (name, args, request) => run(() => gateway.getPrompt(name, args, request)),
  };
  const { proxy } = gateway;
  const counting =
    proxy === undefined
      ? core
      : { ...core, proxy: (...given: Parameters<ForwardProxyRequest>) => run(() => proxy(...given)) };
  return { gateway: Object.assign(Object.create(gateway) as T, counting), settled };
}
