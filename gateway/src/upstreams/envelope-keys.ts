const PREFIX = 'io.modelcontextprotocol/';

/** Keys of the `_meta` that every request of 2026-07-28 carries. The SDK has them too, and is loaded late here. */
export const ENVELOPE = {
  version: `${PREFIX}protocolVersion`,
  client: `${PREFIX}clientInfo`,
  capabilities: `${PREFIX}clientCapabilities`,
  logLevel: `${PREFIX}logLevel`,
} as const;
