/** What an absent key means. */
export const DEFAULTS = Object.freeze({
  name: 'toolcrib',
  kinds: Object.freeze(['openapi', 'function', 'self']) as readonly string[],
  topologies: Object.freeze(['flat']) as readonly string[],
  lockMode: 'warn' as const,
  lockFile: 'toolcrib.lock.json',
  reportFile: 'toolcrib.report.json',
  host: '127.0.0.1',
  port: 8787,
  maxBodyBytes: 4 * 1024 * 1024,
  drainMs: 10_000,
});

/** Names of the file, in the order in which they are looked for. */
export const CONFIGURATION_FILES: readonly string[] = ['toolcrib.yaml', 'toolcrib.yml', 'toolcrib.json'];
