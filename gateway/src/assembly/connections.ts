import type { SourceConfiguration } from '../config/configuration.ts';
import { type Connection, DEFAULT_LIMITS, type SecurityScheme } from '../operations/index.ts';

/** The gateway's own HTTP API, reached inside the process. */
export const SELF_ORIGIN = 'http://self.toolcrib.internal';

/** What the configuration says about a source's account, with defaults filled in. */
export function connectionOf(
  name: string,
  source: SourceConfiguration,
  securitySchemes: Readonly<Record<string, SecurityScheme>>,
): Connection {
  const baseUrl = source.kind === 'self' ? SELF_ORIGIN : source.baseUrl;
  return {
    name,
    source: name,
    securitySchemes,
    limits: {
      timeoutMs: source.timeoutMs ?? DEFAULT_LIMITS.timeoutMs,
      maxBytes: source.maxBytes ?? DEFAULT_LIMITS.maxBytes,
      maxRedirects: DEFAULT_LIMITS.maxRedirects,
      maxAttempts: source.maxAttempts ?? DEFAULT_LIMITS.maxAttempts,
      concurrency: source.concurrency ?? DEFAULT_LIMITS.concurrency,
      maxTextLength: source.maxTextLength ?? DEFAULT_LIMITS.maxTextLength,
    },
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(source.serverVariables === undefined ? {} : { serverVariables: source.serverVariables }),
    ...(source.credentials === undefined ? {} : { credentials: source.credentials }),
    ...(source.headers === undefined ? {} : { headers: source.headers }),
  };
}
