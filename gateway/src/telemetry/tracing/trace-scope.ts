import { AsyncLocalStorage } from 'node:async_hooks';
import { type Call, type Result, type TraceFields, traceOf } from '../../operations/index.ts';

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
  /** Without a scope the work belongs to what is under way. */
  run<T>(scope: TraceScope | undefined, work: () => T): T;
  /** For calls that bring a context of their own; the others cost one comparison. */
  layer(call: Call, next: Next): Promise<Result>;
  /** A door whose requests carry the context of the call that they belong to. */
  door<D extends { request: (...given: never[]) => unknown }>(door: D): D;
}

export function createTraceContext(): TraceContext {
  const scopes = new AsyncLocalStorage<TraceScope>();
  const run = <T>(scope: TraceScope | undefined, work: () => T): T =>
    scope === undefined ? work() : scopes.run(scope, work);
  return {
    run,
    get current() {
      return scopes.getStore();
    },
    layer: (call, next) =>
      call.traceparent === undefined ? next(call) : run(scopeOf(call), () => next(call)),
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

export function scopeOf(fields: TraceFields): TraceScope | undefined {
  const { traceparent } = fields;
  return traceparent === undefined ? undefined : { traceparent, ...traceOf(fields) };
}
