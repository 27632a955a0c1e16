import { z } from 'zod';
import { EVENT_TYPES, unknownEventType } from '../../operations/event-types.ts';
import { boundedDuration, closed, days, httpUrl, secret, size, text } from './values.ts';

const age = days('Write a duration such as 7d or 12h, or a number of milliseconds.');

const s3 = closed({
  endpoint: httpUrl.describe('Allowed by the egress door.'),
  bucket: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/, 'Is no bucket name.'),
  region: text.optional().describe('Default: us-east-1.'),
  prefix: z
    .string()
    .regex(/^[\w./-]{0,200}$/, 'A prefix has letters, digits, "_", "-", "." and "/".')
    .optional()
    .describe('Before every object name.'),
  accessKeyId: secret.optional().describe('Default: { env: AWS_ACCESS_KEY_ID }.'),
  secretAccessKey: secret.optional().describe('Default: { env: AWS_SECRET_ACCESS_KEY }.'),
  sessionToken: secret.optional(),
});

/** `artifacts:`: where full outputs are kept, how many and for how long. */
export const artifactsShape = closed({
  store: z
    .union([text, closed({ s3 })])
    .optional()
    .describe('A folder or an S3-compatible store. Default: artifacts in the state directory.'),
  quota: size.optional().describe("Bytes of one user's artifacts; the oldest go first. Default: maxTotal."),
  maxTotal: size.optional().describe('Bytes of all. Default: 1GiB.'),
  maxAge: age.optional().describe('Default: 7d.'),
  always: z.boolean().optional().describe('Keep the full output of every call. Default: false.'),
  above: size.optional().describe('Keep outputs of more bytes, also where nothing is cut.'),
});

const eventType = z.enum(EVENT_TYPES, {
  error: ({ input }) => (typeof input === 'string' ? unknownEventType(input) : undefined),
});

const webhook = closed({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'A name has letters, digits, ".", "_" or "-".')
    .optional()
    .describe('How far it has come is kept by it. Default: from the URL.'),
  url: httpUrl.describe('Allowed by the egress door.'),
  secret: secret.describe('Signs each delivery (Standard Webhooks): whsec_ and base64, or any text.'),
  types: z.array(eventType).min(1).optional().describe('Event types. Default: all.'),
  format: z.enum(['event', 'run']).optional().describe('run: TOOL_CALL_STARTED and so on. Default: event.'),
  attempts: z.int().min(1).max(100).optional().describe('Until it counts as failing. Default: 12.'),
});

/** `events:`: who is told of them. */
export const eventsShape = closed({ webhooks: z.array(webhook).max(20).optional() });

/** `telemetry:`: OpenTelemetry traces and metrics. */
export const telemetryShape = closed({
  enabled: z.boolean().optional().describe('Default: false, or true where otlp is set.'),
  otlp: httpUrl
    .refine((url) => !/[?#]/.test(url), 'Leave out the query: /v1/traces and /v1/metrics are put behind it.')
    .optional()
    .describe('An OTLP/HTTP endpoint. Needs the OpenTelemetry SDK packages beside Toolcrib.'),
});

/** `tasks:`: calls that go on after their request was answered. */
export const tasksShape = z.union([
  z.literal('off'),
  closed({
    after: boundedDuration.optional().describe('A call that takes longer becomes a task. Default: 5s.'),
    keep: boundedDuration
      .optional()
      .describe('How long a task is kept after it ended. Default: 1h; 10s to 24h.'),
  }),
]);
