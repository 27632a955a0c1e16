import { AsyncLocalStorage } from 'node:async_hooks';
import type { Call, Result } from '../../operations/index.ts';

type Next = (call: Call) => Promise<Result>;

/** The trace that the work under way belongs to. */
export interface TraceScope {
  /** W3C `traceparent`. */
  readonly traceparent: string;
}

interface OutgoingHeaders {
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
}

/** Carries a call's W3C trace context from the layers to the requests that it leads to. */
export interface TraceContext {
  readonly current: TraceScope | undefined;
  run<T>(scope: TraceScope, work: () => T): T;
  /** For calls that bring a context of their own; the others cost one comparison. */
  layer(call: Call, next: Next): Promise<Result>;
  /** A door whose requests carry the context of the call that they belong to. */
  door<D extends { request: (...given: never[]) => unknown }>(door: D): D;
}

export function createTraceContext(): TraceContext {
  const scopes = new AsyncLocalStorage<TraceScope>();
  return {
    get current() {
      return scopes.getStore();
    },
    run: (scope, work) => scopes.run(scope, work),
    layer: (call, next) =>
      call.traceparent === undefined
        ? next(call)
        : scopes.run({ traceparent: call.traceparent }, () => next(call)),
    door: (door) => ({
      ...door,
      request: (...given: never[]) => {
        const scope = scopes.getStore();
        if (scope === undefined) return door.request(...given);
        const [request, ...rest] = given as unknown as [OutgoingHeaders, ...never[]];
        return door.request(withTraceparent(request, scope.traceparent) as never, ...rest);
      },
    }),
  };
}

/** A header that the request has already stays. */
export function withTraceparent<R extends OutgoingHeaders>(request: R, traceparent: string): R {
  if (request.headers.some(([name]) => name.toLowerCase() === 'traceparent')) return request;
  return { ...request, headers: [...request.headers, ['traceparent', traceparent] as const] };
}
