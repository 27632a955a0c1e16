import type { GatewayCore } from '../../gateway-types.ts';
import type { ForwardProxyRequest } from '../../proxy/create-proxy.ts';

/** The gateway, with its open calls counted: a closing server waits for them. */
export interface OpenCalls<T> {
  readonly gateway: T;
  /** Resolves when no call is open; false when the time passed first. */
  settled(timeoutMs: number): Promise<boolean>;
}

export function countOpenCalls<T extends GatewayCore & { readonly proxy?: ForwardProxyRequest }>(
  gateway: T,
): OpenCalls<T> {
  let open = 0;
  let settled = Promise.withResolvers<void>();
  const counted = async <R>(run: () => Promise<R>): Promise<R> => {
    open++;
    try {
      return await run();
    } finally {
      if (--open === 0) {
        settled.resolve();
        settled = Promise.withResolvers<void>();
      }
    }
  };
  const core: Pick<GatewayCore, 'call' | 'readResource' | 'getPrompt'> = {
    call: (request) => counted(() => gateway.call(request)),
    readResource: (uri, request) => counted(() => gateway.readResource(uri, request)),
    getPrompt: (name, args, request) => counted(() => gateway.getPrompt(name, args, request)),
  };
  const { proxy } = gateway;
  const counting =
    proxy === undefined
      ? core
      : { ...core, proxy: (...given: Parameters<ForwardProxyRequest>) => counted(() => proxy(...given)) };
  return {
    gateway: Object.assign(Object.create(gateway) as T, counting),
    async settled(timeoutMs) {
      if (open === 0) return true;
      const late = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => late.resolve(false), timeoutMs);
      try {
        return await Promise.race([settled.promise.then(() => true), late.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
