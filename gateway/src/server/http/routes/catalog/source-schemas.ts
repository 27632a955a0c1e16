import { z } from 'zod';
import { ToolcribError } from '../../../../errors.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';
import type { GatewaySources } from '../../admin/gateway-sources.ts';
import { ACCESS, DIAGNOSTIC } from '../schemas.ts';

/** Throws `not_found` where an embedder serves what has no configuration. */
export function sourcesOf({ sources }: GatewayAdmin): GatewaySources {
  if (sources !== undefined) return sources;
  throw new ToolcribError('not_found', 'This gateway keeps no configuration of sources.');
}

export const SOURCE_NAME = z.object({ name: z.string().min(1).max(64) });

export const KEEP = z
  .enum(['file', 'run'])
  .describe('file: in the configuration file; run: until the gateway stops.');

export const REVISION = z
  .string()
  .max(100)
  .optional()
  .describe('The file as it was looked at, from the answer of a dry run; needed to write it.');

const FAULT = z.object({
  code: z.string(),
  message: z.string(),
  next: z.string(),
  pointer: z.string().optional(),
  location: z.string().optional(),
});

const COUNT = z.number().int();

export const SOURCE_STATE = z.object({
  name: z.string(),
  kind: z.string(),
  health: z
    .enum(['ok', 'stale', 'failing', 'starting', 'paused'])
    .describe('stale: the last good tools are served; failing: there are none.'),
  fingerprint: z.string().optional(),
  operations: COUNT,
  tools: COUNT.optional().describe('Operations that can be published.'),
  skipped: COUNT.optional(),
  diagnostics: z.object({ error: COUNT, warning: COUNT, info: COUNT }).optional(),
  drift: z
    .object({ waiting: COUNT, rejected: COUNT })
    .optional()
    .describe('Tools that differ from the lock: those that wait for a person, and those that one refused.'),
  connection: z
    .enum(['connected', 'unauthenticated', 'disabled', 'missing'])
    .optional()
    .describe("The caller's account."),
  stale: z.object({ since: z.string(), message: z.string() }).optional(),
  origin: z
    .enum(['file', 'run', 'start'])
    .optional()
    .describe('run: added for this run only; file: of the configuration file; start: given at the start.'),
  place: z.string().optional().describe('What is read: a path, a URL without its query, a command.'),
  triedAt: z.string().optional(),
  readAt: z.string().optional(),
  durationMs: z.number().optional().describe('Milliseconds of the last attempt.'),
  error: FAULT.optional(),
  lacks: z
    .object({ calls: COUNT, of: COUNT, message: z.string(), next: z.string() })
    .optional()
    .describe('The credential that calls lack; counted among the first operations.'),
  provider: z.object({ name: z.string(), displayName: z.string(), category: z.string() }).optional(),
  upstream: z
    .object({
      status: z.enum(['idle', 'starting', 'running', 'waiting', 'failed', 'stopped']),
      restarts: COUNT,
      pid: COUNT.optional(),
      lastError: z.string().optional(),
      retryInMs: z.number().optional(),
    })
    .optional(),
});

const COMPILED_TOOL = z.object({
  tool: z.string(),
  operation: z.string(),
  access: ACCESS,
  method: z.string().optional(),
  path: z.string().optional(),
  withheld: z.boolean(),
});

const SKIPPED = z.looseObject({
  method: z.string(),
  path: z.string(),
  reason: z.string(),
  operation: z.string().optional(),
});

const DRIFT_CHANGE = z.object({
  tool: z.string(),
  kind: z.enum(['added', 'changed', 'removed']),
  withheld: z.boolean(),
  rejected: z.object({ at: z.string(), reason: z.string().optional() }).optional(),
  hash: z.string().optional().describe('Of the definition that is there now; absent where it is gone.'),
  differences: z
    .array(z.looseObject({ path: z.string(), before: z.string().optional(), after: z.string().optional() }))
    .describe('Member by member; values are JSON, cut around the first difference.'),
});

export const SOURCE_REPORT = z.object({
  source: SOURCE_STATE,
  compiled: z.array(COMPILED_TOOL).optional().describe('At most 5,000.'),
  skipped: z.array(SKIPPED).optional().describe('At most 2,000.'),
  diagnostics: z.array(DIAGNOSTIC).optional().describe('At most 2,000, errors first.'),
  drift: z.array(DRIFT_CHANGE).optional(),
  baseUrl: z.string().optional().describe('Where its calls go, where they all go to one place.'),
  entry: z
    .object({
      section: z.enum(['sources', 'mcpServers']),
      name: z.string(),
      value: z.record(z.string(), z.unknown()),
      yaml: z.string(),
    })
    .optional()
    .describe('Its entry in the configuration file; absent where it holds a secret as text.'),
});

const FILE_CHANGE = z.object({
  path: z.string(),
  revision: z.string(),
  line: COUNT,
  removed: z.array(z.string()),
  added: z.array(z.string()),
});

export const SOURCE_PLAN = z.object({
  name: z.string(),
  applied: z.boolean(),
  yaml: z.string().optional(),
  file: FILE_CHANGE.optional(),
  environment: z
    .array(z.object({ name: z.string(), set: z.boolean() }))
    .optional()
    .describe('Variables that the entry reads, and whether the gateway has them. Never their values.'),
  trial: z
    .object({
      error: FAULT.optional(),
      operations: COUNT,
      tools: z.array(COMPILED_TOOL),
      skipped: z.array(SKIPPED),
      skippedCount: COUNT,
      diagnostics: z.array(DIAGNOSTIC),
      baseUrl: z.string().optional(),
      taken: z.array(z.string()).describe('Tools that another source has already.'),
    })
    .optional()
    .describe('What a dry run found.'),
  afterRestart: z.array(z.string()).optional(),
});
