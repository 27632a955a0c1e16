import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SecretReference } from '../../operations/index.ts';
import { boundedMilliseconds } from '../bounded-milliseconds.ts';
import type {
  ArtifactsConfiguration,
  S3Configuration,
  TasksConfiguration,
  TelemetryConfiguration,
  WebhookConfiguration,
} from '../configuration.ts';
import type { ConfigurationContext } from '../context.ts';
import { absolutePath } from '../directories.ts';
import { configurationError } from '../issues.ts';
import { bytes, milliseconds } from '../measures.ts';
import type { ConfigurationFile } from '../schema/configuration-file.ts';
import { withAbsoluteFile } from '../secrets.ts';

const DAY_MS = 86_400_000;
/** Its client has to have the time to ask for the end. */
const SHORTEST_KEEP_MS = 10_000;
export const DEFAULT_TASKS: TasksConfiguration = { afterMs: 5_000, keepMs: 3_600_000 };

/** Without a configuration file. */
export function defaultRecords(stateDirectory: string): {
  readonly artifacts: ArtifactsConfiguration;
  readonly webhooks: readonly WebhookConfiguration[];
  readonly telemetry: TelemetryConfiguration;
  readonly tasks: TasksConfiguration;
} {
  return {
    tasks: DEFAULT_TASKS,
    artifacts: { place: join(stateDirectory, 'artifacts'), limits: {}, keep: { always: false } },
    webhooks: [],
    telemetry: { enabled: false },
  };
}

export function artifactsConfiguration(
  given: ConfigurationFile['artifacts'] = {},
  stateDirectory: string,
  context: ConfigurationContext,
): ArtifactsConfiguration {
  const { store, quota, maxTotal, maxAge, above, always = false } = given;
  return {
    place: store === undefined ? join(stateDirectory, 'artifacts') : placeOf(store, context),
    limits: {
      ...(maxTotal === undefined ? {} : { maxTotalBytes: bytes(maxTotal) }),
      ...(quota === undefined ? {} : { quotaBytes: bytes(quota) }),
      ...(maxAge === undefined ? {} : { maxAgeMs: milliseconds(maxAge) }),
    },
    keep: { always, ...(above === undefined ? {} : { aboveBytes: bytes(above) }) },
  };
}

type Place = NonNullable<NonNullable<ConfigurationFile['artifacts']>['store']>;

function placeOf(store: Place, context: ConfigurationContext): string | S3Configuration {
  const { baseDirectory, env } = context;
  if (typeof store === 'string') return absolutePath(store, baseDirectory, env);
  const { endpoint, bucket, region = 'us-east-1', prefix = '', sessionToken } = store.s3;
  const reference = (given: SecretReference | undefined, name: string) =>
    withAbsoluteFile(given ?? { env: name }, context);
  return {
    endpoint,
    bucket,
    region,
    prefix,
    accessKeyId: reference(store.s3.accessKeyId, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: reference(store.s3.secretAccessKey, 'AWS_SECRET_ACCESS_KEY'),
    ...(sessionToken === undefined ? {} : { sessionToken: withAbsoluteFile(sessionToken, context) }),
  };
}

/** Throws `configuration_invalid` for two of one name: they would share one cursor. */
export function webhooksConfiguration(
  given: ConfigurationFile['events'],
  context: ConfigurationContext,
): readonly WebhookConfiguration[] {
  const names = new Set<string>();
  return (given?.webhooks ?? []).map((hook, index) => {
    const { url, secret, types, format = 'event', attempts = 12 } = hook;
    const name = hook.name ?? nameOf(url);
    if (names.has(name)) {
      const message = `Two webhooks are named ${name}; give one of them another name.`;
      const path = ['events', 'webhooks', index, 'name'];
      throw configurationError([{ path, message }], context.file, context.lineOf);
    }
    names.add(name);
    return {
      name,
      url,
      secret: withAbsoluteFile(secret, context),
      ...(types === undefined ? {} : { types }),
      format,
      attempts,
    };
  });
}

export function telemetryConfiguration(given: ConfigurationFile['telemetry'] = {}): TelemetryConfiguration {
  const { otlp, enabled = otlp !== undefined } = given;
  return { enabled, ...(otlp === undefined ? {} : { otlp }) };
}

/** Undefined: no call becomes a task. Throws `configuration_invalid`. */
export function tasksConfiguration(given: ConfigurationFile['tasks'] = {}): TasksConfiguration | undefined {
  if (given === 'off') return undefined;
  const { after = DEFAULT_TASKS.afterMs, keep = DEFAULT_TASKS.keepMs } = given;
  return {
    afterMs: boundedMilliseconds(after, ['tasks', 'after'], 0, DAY_MS),
    keepMs: boundedMilliseconds(keep, ['tasks', 'keep'], SHORTEST_KEEP_MS, DAY_MS),
  };
}

/** URLs that the operator wrote here: the egress door lets them through. */
export function recordUrls(configuration: {
  readonly artifacts?: ArtifactsConfiguration;
  readonly webhooks?: readonly WebhookConfiguration[];
  readonly telemetry?: TelemetryConfiguration;
}): string[] {
  const { artifacts, webhooks = [], telemetry } = configuration;
  return [
    ...(artifacts === undefined || typeof artifacts.place === 'string' ? [] : [artifacts.place.endpoint]),
    ...webhooks.map(({ url }) => url),
    ...(telemetry?.otlp === undefined ? [] : [telemetry.otlp]),
  ];
}

/** The host, and enough of a hash to tell its paths apart; the URL itself may hold a secret. */
function nameOf(url: string): string {
  const hash = createHash('sha256').update(url).digest('hex').slice(0, 8);
  return `${new URL(url).hostname.replace(/[^A-Za-z0-9.-]/g, '-').slice(0, 50)}-${hash}`.replace(
    /^[^A-Za-z0-9]+/,
    '',
  );
}
