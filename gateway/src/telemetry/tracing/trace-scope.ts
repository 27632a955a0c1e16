import { AsyncLocalStorage } from 'node:async_hooks';
import type { Call, Result, TraceFields } from '../../operations/index.ts';

type Next = (call: Call) => Promise<Result>;

/** The trace that the work under way belongs to. */
export interface TraceScope extends TraceFields {
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
    layer(call, next) {
      const scope = scopeOf(call);
      return scope === undefined ? next(call) : scopes.run(scope, () => next(call));
    },
    door: (door) => ({
      ...door,
      request: (...given: never[]) => {
        const scope = scopes.getStore();
        if (scope === undefined) return door.request(...given);
        const [request, ...rest] = given as unknown as [OutgoingHeaders, ...never[]];
        return door.request(withTrace(request, scope) as never, ...rest);
      },
    }),
  };
}

/** Of a request that has a trace of its own, that one stays. */
export function withTrace<R extends OutgoingHeaders>(request: R, scope: TraceScope): R {
  if (request.headers.some(([name]) => name.toLowerCase() === 'traceparent')) return request;
  return { ...request, headers: [...request.headers, ...Object.entries(scope)] };
}

export function scopeOf({ traceparent, tracestate }: TraceFields): TraceScope | undefined {
  if (traceparent === undefined) return undefined;
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}
