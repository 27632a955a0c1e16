import type { Attributes, Span, SpanContext } from '@opentelemetry/api';
import {
  type Call,
  formatTraceparent,
  parseTraceparent,
  type Result,
  type TraceFields,
} from '../../operations/index.ts';
import { scopeOf, type TraceContext, type TraceScope, withTrace } from './trace-scope.ts';

type Api = typeof import('@opentelemetry/api');
type Next = (call: Call) => Promise<Result>;
type Layer = (call: Call, next: Next) => Promise<Result>;

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
}

/** Spans and metrics of calls, by the conventions for MCP and generative AI. */
export interface CallTracing {
  /** Outermost: one span `tools/call NAME` a call, its duration and its outcome. */
  readonly layer: Layer;
  /** A span for the time that a layer takes before it goes on, or refuses. */
  around(name: string, layer: Layer): Layer;
  /** A span for what the innermost part does. */
  core(name: string, next: Next): Next;
  /** A span from the asking until `task` begins. */
  waiting<T>(name: string, run: (task: () => Promise<T>) => Promise<T>, task: () => Promise<T>): Promise<T>;
  /** A door with a span a request, whose context the request carries. */
  door<D extends { request: (...given: never[]) => unknown }>(door: D): D;
}

export interface TracingParts {
  readonly api: Api;
  readonly context: TraceContext;
  readonly version: string;
}

/** Seconds, as the conventions ask for `mcp.server.operation.duration`. */
const BOUNDARIES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

export function createCallTracing({ api, context, version }: TracingParts): CallTracing {
  const { SpanKind, SpanStatusCode, ROOT_CONTEXT, createTraceState, isSpanContextValid, trace } = api;
  const tracer = trace.getTracer('toolcrib', version);
  const meter = api.metrics.getMeter('toolcrib', version);
  const duration = meter.createHistogram('mcp.server.operation.duration', {
    unit: 's',
    description: 'Duration of calls, from their arrival to their recorded end.',
    advice: { explicitBucketBoundaries: BOUNDARIES },
  });
  const calls = meter.createCounter('toolcrib.calls', { unit: '{call}', description: 'Calls that ended.' });
  const errors = meter.createCounter('toolcrib.call.errors', {
    unit: '{call}',
    description: 'Calls that ended with an error.',
  });

  const remote = ({ traceparent, tracestate }: TraceFields): SpanContext | undefined => {
    const parent = parseTraceparent(traceparent);
    if (parent === undefined) return undefined;
    const { traceId, spanId, sampled } = parent;
    const context = { traceId, spanId, traceFlags: sampled ? 1 : 0, isRemote: true };
    return tracestate === undefined ? context : { ...context, traceState: createTraceState(tracestate) };
  };
  const parentOf = (fields: TraceFields) => {
    const parent = remote(fields);
    // without a context of its own the call belongs to whatever the embedder has begun
    return parent === undefined ? api.context.active() : trace.setSpanContext(ROOT_CONTEXT, parent);
  };
  const start = (name: string, kind: number, attributes: Attributes, fields: TraceFields) =>
    tracer.startSpan(name, { kind, attributes }, parentOf(fields));
  /** Of the span; of its caller where nobody measures, whose spans have no ids. */
  const scope = (span: Span, fallback: TraceFields): TraceScope | undefined => {
    const { traceId, spanId, traceFlags, traceState } = span.spanContext();
    if (!isSpanContextValid(span.spanContext())) return scopeOf(fallback);
    const traceparent = formatTraceparent({ traceId, spanId, sampled: (traceFlags & 1) === 1 });
    const tracestate = traceState?.serialize();
    return tracestate ? { traceparent, tracestate } : { traceparent };
  };
  const fail = (span: Span, type: string) => {
    span.setAttribute('error.type', type);
    span.setStatus({ code: SpanStatusCode.ERROR });
  };

  const child = (name: string) => start(name, SpanKind.INTERNAL, {}, context.current ?? {});

  return {
    async layer(call, next) {
      const attributes = attributesOf(call);
      const began = performance.now();
      const span = start(
        `tools/call ${call.tool}`,
        SpanKind.SERVER,
        { ...attributes, ...detailsOf(call) },
        call,
      );
      const scoped = scope(span, call);
      const { tracestate: _callers, ...untraced } = call;
      const traced = scoped === undefined ? call : { ...untraced, ...scoped };
      let type: string | undefined;
      try {
        const result = await context.run(scoped, () => next(traced));
        type = result.kind === 'completed' ? result.error?.code : undefined;
        return result;
      } catch (error) {
        type = codeOf(error);
        throw error;
      } finally {
        if (type !== undefined) fail(span, type);
        span.end();
        const labels = type === undefined ? attributes : { ...attributes, 'error.type': type };
        duration.record((performance.now() - began) / 1000, labels);
        calls.add(1, labels);
        if (type !== undefined) errors.add(1, labels);
      }
    },
    around: (name, layer) => async (call, next) => {
      const span = child(name);
      const before = context.current;
      let open = true;
      const end = () => {
        if (open) span.end();
        open = false;
      };
      try {
        const result = await context.run(scope(span, {}), () =>
          layer(call, (inner) => {
            end();
            // what comes after the layer is no part of it
            return context.run(before, () => next(inner));
          }),
        );
        if (open && result.kind === 'completed' && result.error !== undefined) fail(span, result.error.code);
        return result;
      } catch (error) {
        if (open) fail(span, codeOf(error));
        throw error;
      } finally {
        end();
      }
    },
    core: (name, next) => async (call) => {
      const span = child(name);
      try {
        return await context.run(scope(span, {}), () => next(call));
      } catch (error) {
        fail(span, codeOf(error));
        throw error;
      } finally {
        span.end();
      }
    },
    async waiting(name, run, task) {
      const span = child(name);
      let open = true;
      const end = () => {
        if (open) span.end();
        open = false;
      };
      try {
        return await run(() => {
          end();
          return task();
        });
      } catch (error) {
        if (open) fail(span, codeOf(error));
        throw error;
      } finally {
        end();
      }
    },
    door: (door) => ({
      ...door,
      async request(...given: never[]) {
        if (context.current === undefined) return door.request(...given);
        const [request, ...rest] = given as unknown as [Sent, ...never[]];
        const span = start(request.method, SpanKind.CLIENT, requestOf(request), context.current);
        try {
          const scoped = scope(span, context.current) ?? context.current;
          const answer = await door.request(withTrace(request, scoped) as never, ...rest);
          const { status } = answer as { readonly status: number };
          span.setAttribute('http.response.status_code', status);
          if (status >= 400) fail(span, String(status));
          return answer;
        } catch (error) {
          fail(span, codeOf(error));
          throw error;
        } finally {
          span.end();
        }
      },
    }),
  };
}

/** Few values each: they are the labels of metrics too. */
function attributesOf({ tool }: Call): Attributes {
  return {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
  };
}

/** Never arguments: they may hold anything. */
function detailsOf({ id, operation, run }: Call): Attributes {
  return {
    'gen_ai.tool.call.id': id,
    'toolcrib.source': operation.source,
    'toolcrib.operation': operation.id,
    'toolcrib.access': operation.access,
    ...(run === undefined ? {} : { 'toolcrib.run': run }),
  };
}

/** Host and port alone: paths and queries hold identifiers, and sometimes keys. */
function requestOf({ method, url }: Sent): Attributes {
  const parsed = URL.parse(url);
  if (parsed === null) return { 'http.request.method': method };
  const { hostname, port, protocol } = parsed;
  return {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    'url.scheme': protocol.slice(0, -1),
  };
}

function codeOf(error: unknown): string {
  const { code, kind, name } = (error ?? {}) as { code?: unknown; kind?: unknown; name?: unknown };
  return ([code, kind, name].find((one) => typeof one === 'string') as string | undefined) ?? '_OTHER';
}
