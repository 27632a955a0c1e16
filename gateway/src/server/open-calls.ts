import type { CallRequest, GatewayCore } from '../gateway-core.ts';
import { countOpenWork, type OpenWork } from '../operations/work/open-work.ts';
import type { ForwardProxyRequest } from '../proxy/create-proxy.ts';

/** The gateway, with its open calls counted: a closing server waits for them. */
export interface OpenCalls<T> extends Pick<OpenWork, 'settled'> {
  readonly gateway: T;
  /** Stops what is open now; each call tells its caller. */
  stop(reason: unknown): void;
}

export function countOpenCalls<T extends GatewayCore & { readonly proxy?: ForwardProxyRequest }>(
  gateway: T,
): OpenCalls<T> {
  const { run, settled } = countOpenWork();
  const open = new Set<AbortController>();
  /** With a signal that ends with the caller's, or with the gateway. */
  const stoppable = async <R>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<R>) => {
    const controller = new AbortController();
    const onAbort = () => controller.abort(signal?.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    open.add(controller);
    try {
      return await run(() => work(controller.signal));
    } finally {
      open.delete(controller);
      signal?.removeEventListener('abort', onAbort);
    }
  };
  const core: Pick<GatewayCore, 'call' | 'readResource' | 'getPrompt'> = {
    call: (request: CallRequest) =>
      stoppable(request.signal, (signal) => gateway.call({ ...request, signal })),
    readResource: (uri, request) => run(() => gateway.readResource(uri, request)),
    getPrompt: (name, args, request) => run(() => gateway.getPrompt(name, args, request)),
  };
  const { proxy } = gateway;
  const counting =
    proxy === undefined
      ? core
      : {
          ...core,
          proxy: (...[body, principal, signal, scope]: Parameters<ForwardProxyRequest>) =>
            stoppable(signal, (either) => proxy(body, principal, either, scope)),
        };
  return {
    gateway: Object.assign(Object.create(gateway) as T, counting),
    settled,
    stop(reason) {
      for (const controller of open) controller.abort(reason);
    },
  };
}
