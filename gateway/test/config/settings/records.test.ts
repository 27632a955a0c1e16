import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';

const BASE = process.platform === 'win32' ? 'C:\\crib' : '/crib';
const parsed = (value: object) => parseConfiguration(value, { env: {}, baseDirectory: BASE });

describe('artifacts', () => {
  it('lie in the state directory unless the file says otherwise', async () => {
    const { artifacts, stateDirectory } = await parsed({ stateDirectory: './state' });
    expect(artifacts).toEqual({
      place: join(stateDirectory, 'artifacts'),
      limits: {},
      keep: { always: false },
    });
  });

  it('have a folder, limits and a rule of what is kept', async () => {
    const artifacts = {
      store: './out',
      quota: '10MB',
      maxTotal: '1GiB',
      maxAge: '2d',
      always: true,
      above: '1kB',
    };
    expect((await parsed({ artifacts })).artifacts).toEqual({
      place: join(BASE, 'out'),
      limits: { quotaBytes: 10_000_000, maxTotalBytes: 1024 ** 3, maxAgeMs: 172_800_000 },
      keep: { always: true, aboveBytes: 1000 },
    });
  });

  it('have a bucket, whose address is thereby allowed', async () => {
    const s3 = { endpoint: 'http://127.0.0.1:9000', bucket: 'crib', secretAccessKey: { file: './key' } };
    const { artifacts, egress } = await parsed({ artifacts: { store: { s3 } } });
    expect(artifacts.place).toEqual({
      endpoint: 'http://127.0.0.1:9000',
      bucket: 'crib',
      region: 'us-east-1',
      prefix: '',
      accessKeyId: { env: 'AWS_ACCESS_KEY_ID' },
      secretAccessKey: { file: join(BASE, 'key') },
    });
    expect(egress.allow).toEqual(['http://127.0.0.1:9000']);
  });
});

describe('webhooks', () => {
  const hook = { url: 'https://ops.test/hook?key=secret', secret: { env: 'HOOK' } };

  it('have a name that gives nothing of the URL but its host', async () => {
    const { webhooks, egress } = await parsed({ events: { webhooks: [hook] } });
    expect(webhooks).toEqual([
      {
        name: expect.stringMatching(/^ops\.test-[0-9a-f]{8}$/),
        url: hook.url,
        secret: { env: 'HOOK' },
        format: 'event',
        attempts: 12,
      },
    ]);
    expect(egress.allow).toEqual(['https://ops.test']);
  });

  it.each([
    ['two of one name', [hook, hook], /events\.webhooks\[1\].*name/s],
    ['no secret', [{ url: hook.url }], /secret/],
    ['a secret in shell style', [{ ...hook, secret: '$HOOK' }], /env: NAME/],
    ['another scheme', [{ ...hook, url: 'ftp://ops.test/' }], /http or https/],
    ['an unknown key', [{ ...hook, retries: 3 }], /retries/],
    ['a type that there is not', [{ ...hook, types: ['call_failed'] }], /Did you mean "call-failed"\?/],
  ])('refuse %s', async (_name, webhooks, message) => {
    await expect(parsed({ events: { webhooks } })).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringMatching(message),
    });
  });
});

describe('telemetry', () => {
  it.each([
    [undefined, { enabled: false }],
    [{}, { enabled: false }],
    [{ enabled: true }, { enabled: true }],
    [{ otlp: 'http://127.0.0.1:4318' }, { enabled: true, otlp: 'http://127.0.0.1:4318' }],
    [
      { otlp: 'http://127.0.0.1:4318', enabled: false },
      { enabled: false, otlp: 'http://127.0.0.1:4318' },
    ],
  ])('%j', async (telemetry, expected) => {
    expect((await parsed({ telemetry })).telemetry).toEqual(expected);
  });

  it('refuses an address with a query, which the paths would end up in', async () => {
    await expect(parsed({ telemetry: { otlp: 'https://collector.test/?key=1' } })).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining('Leave out the query'),
    });
  });
});

describe('tasks', () => {
  it.each([
    [undefined, { afterMs: 5_000, keepMs: 3_600_000 }],
    [{}, { afterMs: 5_000, keepMs: 3_600_000 }],
    [
      { after: '0s', keep: '10s' },
      { afterMs: 0, keepMs: 10_000 },
    ],
    [
      { after: '2m', keep: '24h' },
      { afterMs: 120_000, keepMs: 86_400_000 },
    ],
    ['off', undefined],
  ])('%j', async (tasks, expected) => {
    expect((await parsed({ tasks })).tasks).toEqual(expected);
  });

  it.each([
    ['a time that no client could keep', { keep: '9s' }, 'tasks.keep is between 10s and 24h.'],
    ['more than a day', { after: '25h' }, 'tasks.after is between 0ms and 24h.'],
    ['another word', 'never', /tasks/],
    ['an unknown key', { wait: '1s' }, /wait/],
  ])('refuse %s', async (_name, tasks, message) => {
    await expect(parsed({ tasks })).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringMatching(message),
    });
  });
});
