import { context, metrics, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import { createGateway } from '../../../src/index.ts';
import { type Call, LOCAL_PRINCIPAL, type Result } from '../../../src/operations/index.ts';
import { compose } from '../../../src/router/compose.ts';
import { startTelemetry, type Telemetry } from '../../../src/telemetry/tracing/index.ts';
import { plainOperation } from '../../catalog/compiled-source.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const DONE: Result = { kind: 'completed', content: [] };
const call = (more: Partial<Call> = {}): Call => ({
  id: 'c0ffee',
  principal: LOCAL_PRINCIPAL,
  tool: 'getPet',
  operation: plainOperation('getPet', 'pets'),
  arguments: { password: 'an argument' },
  deadline: 0,
  signal: new AbortController().signal,
  channel: {},
  dryRun: false,
  depth: 0,
  ...more,
});

let spans: InMemorySpanExporter;
let points: InMemoryMetricExporter;
let meters: MeterProvider;
let telemetry: Telemetry;

beforeEach(async () => {
  spans = new InMemorySpanExporter();
  points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  meters = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: 3_600_000 })],
  });
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }),
  );
  metrics.setGlobalMeterProvider(meters);
  telemetry = await startTelemetry({ enabled: true, name: 'toolcrib', version: '1.0.0' });
});
afterEach(async () => {
  await telemetry.close();
  await meters.shutdown();
  trace.disable();
  metrics.disable();
  context.disable();
});

const named = (name: string) => spans.getFinishedSpans().find((span) => span.name === name)!;
const parentOf = (name: string) => named(name).parentSpanContext?.spanId;

/** A door that keeps what it is asked for. */
function door(status = 200) {
  const sent: Array<{ readonly headers: ReadonlyArray<readonly [string, string]> }> = [];
  return {
    sent,
    async request(request: {
      method: string;
      url: string;
      headers: ReadonlyArray<readonly [string, string]>;
    }) {
      sent.push(request);
      return { status };
    },
    close: async () => undefined,
  };
}
const REQUEST = { method: 'GET', url: 'https://api.test/v1/pets/7?key=secret', headers: [] };

describe('a call', () => {
  it('is one span, named and described by the conventions, without its arguments', async () => {
    await telemetry.tracing!.layer(call({ run: 'r1' }), async () => DONE);
    const [span, ...more] = spans.getFinishedSpans();
    expect(more).toEqual([]);
    expect(span).toMatchObject({
      name: 'tools/call getPet',
      kind: 1,
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'getPet',
        'gen_ai.tool.call.id': 'c0ffee',
        'toolcrib.source': 'pets',
        'toolcrib.run': 'r1',
      },
    });
    expect(JSON.stringify(span!.attributes)).not.toContain('an argument');
  });

  it("belongs to the caller's trace, and takes its context along", async () => {
    let inner: Call | undefined;
    await telemetry.tracing!.layer(call({ traceparent: `00-${TRACE}-${SPAN}-01` }), async (given) => {
      inner = given;
      return DONE;
    });
    const span = named('tools/call getPet');
    expect(span.spanContext().traceId).toBe(TRACE);
    expect(span.parentSpanContext).toMatchObject({ spanId: SPAN, isRemote: true });
    expect(inner!.traceparent).toBe(`00-${TRACE}-${span.spanContext().spanId}-01`);
  });

  it('hands on what vendors say of the trace, to the request too', async () => {
    const { layer, door: measured } = telemetry.tracing!;
    const egress = door();
    const tracestate = 'rojo=1,congo=2';
    let inner: Call | undefined;
    await layer(call({ traceparent: `00-${TRACE}-${SPAN}-01`, tracestate }), async (given) => {
      inner = given;
      await measured(egress).request(REQUEST);
      return DONE;
    });
    expect(inner!.tracestate).toBe(tracestate);
    const { traceId, spanId } = named('GET').spanContext();
    expect(egress.sent[0]!.headers).toEqual([
      ['traceparent', `00-${traceId}-${spanId}-01`],
      ['tracestate', tracestate],
    ]);
  });

  it.each<[string, () => Promise<Result>]>([
    [
      'upstream_status',
      async () => ({
        kind: 'completed',
        content: [],
        error: { code: 'upstream_status', message: 'a private reason' },
      }),
    ],
    ['cancelled', () => Promise.reject(new ToolcribError('cancelled', 'a private reason'))],
  ])('that fails says %s, and no message', async (code, next) => {
    await telemetry.tracing!.layer(call(), next).catch(() => undefined);
    const span = named('tools/call getPet');
    expect(span.attributes['error.type']).toBe(code);
    expect(span.status.code).toBe(2);
    expect(JSON.stringify([span.attributes, span.status, span.events])).not.toContain('private');
  });

  it('is counted and timed', async () => {
    await telemetry.tracing!.layer(call(), async () => DONE);
    await telemetry
      .tracing!.layer(call(), () => Promise.reject(new ToolcribError('cancelled', 'x')))
      .catch(() => undefined);
    await meters.forceFlush();
    const found = Object.fromEntries(
      points
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics: all }) => all))
        .map(({ descriptor, dataPoints }) => [descriptor.name, { unit: descriptor.unit, dataPoints }]),
    );
    expect(found['mcp.server.operation.duration']).toMatchObject({ unit: 's' });
    const counts = (name: string) =>
      found[name]!.dataPoints.map(({ value, attributes }) => [attributes['error.type'] ?? 'ok', value]);
    expect(counts('toolcrib.calls')).toEqual([
      ['ok', 1],
      ['cancelled', 1],
    ]);
    expect(counts('toolcrib.call.errors')).toEqual([['cancelled', 1]]);
    expect(found['mcp.server.operation.duration']!.dataPoints).toHaveLength(2);
  });
});

describe('what takes time within a call', () => {
  it('is a span each, side by side, and the request below the execution', async () => {
    const { layer, around, core, waiting, door: measured } = telemetry.tracing!;
    const egress = door();
    const send = measured(egress);
    const approve = around('approval', async (inner, next) => next(inner));
    const execute = core('execute', (inner) =>
      waiting(
        'limit',
        (task) => task(),
        async () => {
          await send.request(REQUEST);
          return inner.dryRun ? DONE : DONE;
        },
      ),
    );
    await compose([layer, approve], execute)(call());
    const root = named('tools/call getPet').spanContext().spanId;
    expect(parentOf('approval')).toBe(root);
    expect(parentOf('execute')).toBe(root);
    const executing = named('execute').spanContext().spanId;
    expect([parentOf('limit'), parentOf('GET')]).toEqual([executing, executing]);
    const request = named('GET');
    expect(request.attributes).toEqual({
      'http.request.method': 'GET',
      'server.address': 'api.test',
      'server.port': 443,
      'url.scheme': 'https',
      'http.response.status_code': 200,
    });
    const { traceId, spanId } = request.spanContext();
    expect(egress.sent[0]!.headers).toEqual([['traceparent', `00-${traceId}-${spanId}-01`]]);
  });

  it('ends with a refusal of its layer', async () => {
    const { layer, around } = telemetry.tracing!;
    const approve = around('approval', () => Promise.reject(new ToolcribError('approval_rejected', 'No.')));
    await expect(compose([layer, approve], async () => DONE)(call())).rejects.toThrow('No.');
    expect(named('approval').attributes['error.type']).toBe('approval_rejected');
  });

  it.each([
    [500, '500'],
    [200, undefined],
  ])('a request answered with %d', async (status, type) => {
    const { layer, door: measured } = telemetry.tracing!;
    const send = measured(door(status));
    await layer(call(), async () => {
      await send.request(REQUEST);
      return DONE;
    });
    expect(named('GET').attributes['error.type']).toBe(type);
  });
});

describe('without telemetry', () => {
  it("the caller's context still goes along, and only then", async () => {
    trace.disable();
    metrics.disable();
    const off = await startTelemetry({ enabled: false, name: 'toolcrib', version: '1.0.0' });
    expect(off.tracing).toBeUndefined();
    const egress = door();
    const send = off.context.door(egress);
    const traceparent = `00-${TRACE}-${SPAN}-01`;
    const next = async () => {
      await send.request(REQUEST);
      return DONE;
    };
    await off.context.layer(call({ traceparent }), next);
    await off.context.layer(call({ traceparent, tracestate: 'a=1' }), next);
    await off.context.layer(call(), next);
    const parent = ['traceparent', traceparent];
    expect(egress.sent.map(({ headers }) => headers)).toEqual([
      [parent],
      [parent, ['tracestate', 'a=1']],
      [],
    ]);
  });

  it('a provider that the embedder registered is enough', async () => {
    const on = await startTelemetry({ enabled: false, name: 'toolcrib', version: '1.0.0' });
    expect(on.tracing).toBeDefined();
  });

  it('a request that belongs to no call goes out as it is, without a span', async () => {
    const egress = door();
    await telemetry.tracing!.door(egress).request(REQUEST);
    expect(egress.sent).toEqual([REQUEST]);
    expect(spans.getFinishedSpans()).toEqual([]);
  });

  it('a header of the request itself stays', async () => {
    const egress = door();
    const own = { ...REQUEST, headers: [['Traceparent', 'mine']] as const };
    await telemetry.tracing!.layer(call(), async () => {
      await telemetry.tracing!.door(egress).request(own);
      return DONE;
    });
    expect(egress.sent[0]!.headers).toEqual([['Traceparent', 'mine']]);
  });
});

describe('an OTLP endpoint', () => {
  it('needs packages, and says which', async () => {
    const missing = await import('@opentelemetry/exporter-trace-otlp-http' as string).catch(() => undefined);
    if (missing !== undefined) return;
    await expect(
      startTelemetry({ enabled: true, otlp: 'http://127.0.0.1:4318', name: 'toolcrib', version: '1.0.0' }),
    ).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining('@opentelemetry/exporter-trace-otlp-http'),
    });
  });

  it('without them nobody is served, rather than each call refused', async () => {
    const otlp = 'http://127.0.0.1:4318';
    const missing = await import('@opentelemetry/exporter-trace-otlp-http' as string).catch(() => undefined);
    if (missing !== undefined) return;
    const gateway = await createGateway({
      store: 'none',
      telemetry: { otlp },
      sources: { own: { self: {} } },
    });
    await expect(gateway.listen({ host: '127.0.0.1', port: 0 })).rejects.toMatchObject({
      code: 'configuration_invalid',
      pointer: '#/telemetry/otlp',
    });
    await gateway.close();
  });
});
