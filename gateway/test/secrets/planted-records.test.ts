import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metrics, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, describe, expect, it } from 'vitest';
import { createArtifacts } from '../../src/artifacts/index.ts';
import { createEgress } from '../../src/egress/index.ts';
import { ToolcribError } from '../../src/errors.ts';
import { createDurableEvents } from '../../src/events/durable-events.ts';
import { previewInput } from '../../src/events/input-preview.ts';
import { summarise } from '../../src/events/result-summary.ts';
import { startWebhooks } from '../../src/events/webhooks/start-webhooks.ts';
import { type Call, type JsonObject, LOCAL_PRINCIPAL, type Result } from '../../src/operations/index.ts';
import { compose } from '../../src/router/compose.ts';
import { recordLayer } from '../../src/router/layers/record.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createRedactor } from '../../src/telemetry/redactor.ts';
import { startTelemetry } from '../../src/telemetry/tracing/index.ts';
import { plainOperation } from '../catalog/compiled-source.ts';
import { startReceiver } from '../doubles/webhook-receiver.ts';
import { hunt, type Secrets, type Trace, traceFolder, traceOutput } from './secret-hunt.ts';

/** `argument` is known by the name of its argument alone; the others are live. */
const SECRETS = {
  live: 'plant-live/secret+7Uj8Ik9Ol=0Pq',
  argument: 'plant-argument-4Rf5Tg6Yh',
  hook: 'plant-hook-signing-key-1Qa2Ws3Ed',
  bucket: 'plant-bucket-secret-key-5Tg6Yh7Uj',
} satisfies Secrets;
const { live, argument } = SECRETS;

/** Where secrets turn up in arguments, in every form that clients have been seen to send. */
const ARGUMENTS: readonly JsonObject[] = [
  { note: live, password: argument },
  { deep: { list: [{ token: argument }, `x ${encodeURIComponent(live)} y`] } },
  { text: Buffer.from(`user:${live}`).toString('base64') },
  { json: JSON.stringify({ inner: live, api_key: argument }) },
  { long: `${'x'.repeat(190)}${live}${'y'.repeat(5000)}` },
  { [`key ${live}`]: 1 },
  { headers: ['Authorization', `Bearer ${argument}`] },
  { header: { name: 'X-Api-Key', value: argument } },
  { url: `https://ann:${live}@api.test/?access_token=${argument}` },
];

let folder = '';
const output = traceOutput();
const traces: Trace[] = [];
const kept = (where: string, value: unknown) =>
  traces.push({ where, bytes: Buffer.from(JSON.stringify(value)) });
let events = 0;

/** Every way of what is written about a call, with secrets wherever they can turn up. */
async function plant(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-planted-records-'));
  const redactor = createRedactor();
  redactor.add(live);
  const redact = <T>(value: T): T => redactor.redact(value);
  const spans = new InMemorySpanExporter();
  const points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const meters = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: 3_600_000 })],
  });
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }),
  );
  metrics.setGlobalMeterProvider(meters);
  const telemetry = await startTelemetry({ enabled: true, name: 'toolcrib', version: '1' });

  const receiver = await startReceiver(Buffer.from(SECRETS.hook));
  const egress = createEgress({ allow: [new URL(receiver.url).origin] });
  const store = await openStore(`sqlite:${join(folder, 'toolcrib.db')}`);
  const log = createDurableEvents({ store, recover: false });
  const webhooks = startWebhooks({
    store,
    log,
    egress,
    webhooks: [
      {
        name: 'ops',
        url: receiver.url,
        secret: async () => {
          redactor.add(SECRETS.hook);
          return SECRETS.hook;
        },
        format: 'run',
        attempts: 3,
      },
    ],
    onError: (error) => kept('an error', String(error)),
    onFailing: (_hook, error) => kept('a warning', error),
  });
  await expect
    .poll(async () => (await store.database.selectFrom('webhooks').selectAll().execute()).length)
    .toBe(1);
  const artifacts = createArtifacts({
    store,
    place: join(folder, 'artifacts'),
    egress,
    env: {},
    redactor,
  });

  const door = telemetry.tracing!.door({
    request: async (_request: { method: string; url: string; headers: [] }) => ({ status: 200 }),
  });

  /** Reports, refuses or answers with what it was given. */
  const core = async (call: Call): Promise<Result> => {
    await call.channel.progress?.(1, 2, `Working with ${live}`);
    await door.request({ method: 'GET', url: `https://api.test/${live}?token=${argument}`, headers: [] });
    if (call.id.endsWith('f')) throw new ToolcribError('upstream_failed', `The service said ${live}.`);
    const name = `report ${live}.pdf`;
    const artifact = await artifacts.put(Buffer.from(`report ${call.id}`), {
      mimeType: `image/${live}`,
      name,
    });
    return {
      kind: 'completed',
      content: [{ type: 'image', data: '', mimeType: `image/${live.replace(/\W/g, '')}` }],
      structured: { echoed: call.arguments },
      artifacts: [artifact.uri],
    };
  };
  const record = recordLayer(
    (event) => log.append(event),
    () => undefined,
    {
      input: (args) => previewInput(args, redact),
      summary: (result) => redact(summarise(result)),
      redact,
      progress: { note: (event) => void log.append(event), redact },
    },
  );
  const router = compose([telemetry.tracing!.layer, record], telemetry.tracing!.core('execute', core));
  let count = 0;
  for (const given of ARGUMENTS)
    for (const end of ['a', 'f'])
      await router({
        id: `call${count++}${end}`,
        principal: LOCAL_PRINCIPAL,
        tool: 'getPet',
        operation: { ...plainOperation('getPet', 'pets'), access: 'write' },
        arguments: given,
        deadline: 0,
        signal: new AbortController().signal,
        channel: {},
        dryRun: false,
        depth: 0,
      });
  events = 3 * count;
  await expect.poll(() => receiver.taken.length).toBe(events);
  await webhooks.stop();
  await meters.forceFlush();
  for (const { text, headers } of receiver.received) kept('a delivery', { text, headers });
  for (const { name, attributes, status, events: noted } of spans.getFinishedSpans())
    kept('a span', { name, attributes, status, noted });
  kept('metrics', points.getMetrics());
  kept('the list of artifacts', await artifacts.list());
  await log.close();
  await store.close();
  await egress.close();
  await receiver.close();
  await telemetry.close();
  await meters.shutdown();
  trace.disable();
  metrics.disable();
  output.restore();
}
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('planted secrets', () => {
  it('stand in no event, artifact description, delivery, span or metric', async () => {
    await plant();
    const all = [...traces, ...output.traces(), ...(await traceFolder(folder))];
    expect(traces.length).toBeGreaterThan(events);
    expect(hunt(all, SECRETS)).toEqual([]);
  });

  it('are hunted where they would stand', () => {
    expect(hunt([{ where: 'here', bytes: Buffer.from(JSON.stringify(ARGUMENTS)) }], SECRETS)).not.toEqual([]);
  });
});
