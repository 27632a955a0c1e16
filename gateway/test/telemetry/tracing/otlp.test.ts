import { Agent } from 'node:http';
import * as api from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGateway } from '../../../src/index.ts';
import { startOtlp } from '../../../src/telemetry/tracing/otlp.ts';
import type { OtlpTls } from '../../../src/telemetry/tracing/otlp-tls.ts';
import {
  type ExportEnd,
  type Exporter,
  exportFaults,
  toldExporter,
} from '../../../src/telemetry/tracing/told-exporter.ts';

const FAILED = { code: 1, error: new Error('no') };

describe('exports that fail', () => {
  const told: Array<readonly [string, string]> = [];
  beforeEach(() => void told.splice(0));
  const faults = () => exportFaults((what, reason) => told.push([what, reason]));

  it('are told once, and again only when one was taken in between', () => {
    const { ended } = faults();
    ended('traces', FAILED);
    ended('traces', FAILED);
    ended('metrics', FAILED);
    ended('traces', { code: 0 });
    ended('traces', FAILED);
    expect(told.map(([what]) => what)).toEqual(['traces', 'metrics', 'traces']);
  });

  it.each<[string, Error | undefined, string]>([
    ['a status', Object.assign(new Error('Bearer key'), { code: 401, data: 'Bearer key' }), 'it answers 401'],
    [
      'a system error',
      Object.assign(new Error('connect 10.0.0.1'), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
    ],
    ['words of the SDK', new Error('Request timed out'), 'Request timed out'],
    ['nothing', undefined, 'no reason is known'],
  ])('say why: %s', (_what, error, reason) => {
    faults().ended('traces', { code: 1, ...(error && { error }) });
    expect(told).toEqual([['traces', reason]]);
  });

  it('are those, too, that the SDK takes for a success and complains about', () => {
    const { doubt, ended } = faults();
    doubt(
      'Received Partial Success response:',
      '{"rejectedSpans":3}',
      Buffer.from('a body'),
      new Error('a body'),
    );
    ended('traces', { code: 0 });
    ended('metrics', { code: 0 });
    expect(told).toEqual([['traces', 'Received Partial Success response: {"rejectedSpans":3}']]);
  });
});

describe('an exporter that is told of', () => {
  class Named implements Exporter {
    readonly name: string;
    readonly asked: string[];
    constructor(name: string, asked: string[]) {
      this.name = name;
      this.asked = asked;
    }
    export(_items: unknown, done: (end: ExportEnd) => void) {
      this.asked.push(this.name);
      done({ code: 0 });
    }
    temporality() {
      return this.name;
    }
  }

  it('is the usual one until it closes, with whatever else that can do', () => {
    const asked: string[] = [];
    const ends: ExportEnd[] = [];
    let isClosing = false;
    const exporter = toldExporter(
      { usual: new Named('usual', asked), last: new Named('last', asked) },
      () => isClosing,
      (end) => ends.push(end),
    );
    const done = vi.fn();
    exporter.export([], done);
    isClosing = true;
    exporter.export([], done);
    expect(asked).toEqual(['usual', 'last']);
    expect(ends).toEqual([{ code: 0 }, { code: 0 }]);
    expect(done).toHaveBeenCalledTimes(2);
    expect(exporter.temporality()).toBe('usual');
  });
});

/** Instead of the packages, which are not here. */
function exportWith(Exporting: new (options: object) => Exporter): void {
  vi.doMock('@opentelemetry/exporter-trace-otlp-http', () => ({ OTLPTraceExporter: Exporting }));
  vi.doMock('@opentelemetry/exporter-metrics-otlp-http', () => ({ OTLPMetricExporter: Exporting }));
}
afterEach(() => {
  vi.doUnmock('@opentelemetry/exporter-trace-otlp-http');
  vi.doUnmock('@opentelemetry/exporter-metrics-otlp-http');
});

describe('the way to the collector', () => {
  const seen: Array<{ url: string; httpAgentOptions?: (protocol: string) => Promise<Agent> }> = [];
  class Seeing implements Exporter {
    constructor(options: object) {
      seen.push(options as (typeof seen)[number]);
    }
    export(_items: unknown, done: (end: ExportEnd) => void) {
      done({ code: 0 });
    }
    async shutdown() {}
    async forceFlush() {}
  }
  beforeEach(() => {
    seen.splice(0);
    exportWith(Seeing);
  });
  const named = { name: 'toolcrib', version: '1.0.0' };

  it("is the SDK's own where no proxy leads out", async () => {
    const exporting = await startOtlp(api, 'http://127.0.0.1:9', named);
    await exporting.close();
    expect(seen).toHaveLength(4);
    expect(seen.filter(({ httpAgentOptions }) => httpAgentOptions !== undefined)).toEqual([]);
  });

  it('is an agent of ours else, with the certificates that the variables of the SDK name', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_CERTIFICATE', import.meta.filename);
    vi.stubEnv('OTEL_EXPORTER_OTLP_METRICS_CERTIFICATE', '/nowhere');
    const agent = new Agent();
    const asked: OtlpTls[] = [];
    const close = vi.fn(async () => undefined);
    const agents = async (tls: OtlpTls) => {
      asked.push(tls);
      return { agent: async () => agent, close };
    };
    const exporting = await startOtlp(api, 'http://127.0.0.1:9', { ...named, agents });
    await exporting.close();
    vi.unstubAllEnvs();
    expect(asked.map((tls) => Object.keys(tls))).toEqual([['ca'], []]);
    expect(await Promise.all(seen.map(({ httpAgentOptions }) => httpAgentOptions?.('http:')))).toEqual(
      Array(4).fill(agent),
    );
    expect(close).toHaveBeenCalledTimes(2);
  });
});

it("a gateway's own exporter goes where its other requests go", async () => {
  const ways: unknown[] = [];
  exportWith(
    class {
      constructor({ httpAgentOptions }: { httpAgentOptions?: unknown }) {
        ways.push(typeof httpAgentOptions);
      }
      export() {}
      async shutdown() {}
      async forceFlush() {}
    },
  );
  const telemetry = { otlp: 'http://collector.test:4318' };
  for (const egress of [{}, { proxy: { url: 'http://127.0.0.1:9' } }]) {
    const gateway = await createGateway({ store: 'none', telemetry, egress, sources: { own: { self: {} } } });
    await gateway.listen({ host: '127.0.0.1', port: 0 });
    await gateway.close();
  }
  expect(ways).toEqual([...Array(4).fill('undefined'), ...Array(4).fill('function')]);
});

describe('the end of an exporting gateway', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('waits three seconds for a collector that takes nothing', async () => {
    class Hanging implements Exporter {
      export() {}
      shutdown = () => new Promise<void>(() => {});
      forceFlush = () => new Promise<void>(() => {});
    }
    exportWith(Hanging);
    const exporting = await startOtlp(api, 'http://127.0.0.1:9', { name: 'toolcrib', version: '1.0.0' });
    api.trace.getTracer('test').startSpan('a span').end();
    let isOver = false;
    const closed = exporting.close().then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(2_900);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(isOver).toBe(true);
    await closed;
  });
});
