import * as api from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startOtlp } from '../../../src/telemetry/tracing/otlp.ts';
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

describe('the end of an exporting gateway', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.doUnmock('@opentelemetry/exporter-trace-otlp-http');
    vi.doUnmock('@opentelemetry/exporter-metrics-otlp-http');
  });

  it('waits three seconds for a collector that takes nothing', async () => {
    class Hanging implements Exporter {
      export() {}
      shutdown = () => new Promise<void>(() => {});
      forceFlush = () => new Promise<void>(() => {});
    }
    vi.doMock('@opentelemetry/exporter-trace-otlp-http', () => ({ OTLPTraceExporter: Hanging }));
    vi.doMock('@opentelemetry/exporter-metrics-otlp-http', () => ({ OTLPMetricExporter: Hanging }));
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
