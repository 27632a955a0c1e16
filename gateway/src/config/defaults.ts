/** Kinds of sources of this version, by their key in the configuration. */
export const SOURCE_KINDS = Object.freeze([
  'openapi',
  'manifest',
  'function',
  'self',
  'mcp',
  'n8n',
  'package',
  'web',
  'azure',
  'skills',
] as const);
export type SourceKindName = (typeof SOURCE_KINDS)[number];

/** What an absent key means. */
export const DEFAULTS = Object.freeze({
  name: 'toolcrib',
  kinds: SOURCE_KINDS as readonly string[],
  topology: 'auto',
  topologies: Object.freeze([
    'auto',
    'flat',
    'hybrid',
    'base',
    'categories',
    'search',
    'discover',
    'capped',
  ]) as readonly string[],
  lockMode: 'warn' as const,
  lockFile: 'toolcrib.lock.json',
  reportFile: 'toolcrib.report.json',
  host: '127.0.0.1',
  port: 8787,
  maxBodyBytes: 4 * 1024 * 1024,
  drainMs: 10_000,
  sessionIdleMs: 12 * 3_600_000,
  sessionMs: 7 * 24 * 3_600_000,
  storeFile: 'toolcrib.db',
  eventDays: 30,
  usageDays: 400,
  /** New organisations and users may read what is connected, until somebody decides otherwise. */
  level: 'read-only' as const,
  claims: Object.freeze({ user: 'sub', organisation: 'org_id', roles: 'roles' }),
});

/** Names of the file, in the order in which they are looked for. */
export const CONFIGURATION_FILES: readonly string[] = ['toolcrib.yaml', 'toolcrib.yml', 'toolcrib.json'];
