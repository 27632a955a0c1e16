import type { SecretReader } from '../../credentials/secret-reference.ts';
import { ToolcribError } from '../../errors.ts';
import { isOfConnection } from '../../operations/http/connection-headers.ts';
import { HTTP_TOKEN } from '../../operations/http/http-token.ts';
import type { UpstreamDefinition } from '../upstreams.ts';
import type { RemoteTransport } from './transport.ts';

const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What belongs to MCP or to the body; a configuration does not set it. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['cookie', 'origin', 'accept', 'accept-encoding', 'content-type', 'content-encoding'],
  ...['last-event-id', 'dpop'],
]);

/**
 * The headers that a definition sends with every request, secrets read. Throws `credentials_missing`, and
 * `configuration_invalid` for a name or value that would change the request itself.
 */
export async function staticHeaders(
  { name }: UpstreamDefinition,
  { headers }: RemoteTransport,
  secrets: SecretReader,
  signal: AbortSignal,
): Promise<ReadonlyArray<readonly [name: string, value: string]>> {
  const entries: (readonly [string, string])[] = [];
  for (const [header, reference] of Object.entries(headers)) {
    const place = `mcpServers.${name}.headers.${header}`;
    const lower = header.toLowerCase();
    const isReserved = isOfConnection(header) || RESERVED.has(lower) || lower.startsWith('mcp-');
    if (!HTTP_TOKEN.test(header) || isReserved) {
      throw new ToolcribError('configuration_invalid', `${place}: this header cannot be set.`);
    }
    const value = await secrets.read(
      reference,
      place,
      signal,
      isPublic(lower, reference) ? 'public' : 'secret',
    );
    if (!FIELD_VALUE.test(value)) {
      throw new ToolcribError(
        'configuration_invalid',
        `${place}: the value has characters that no header can carry.`,
      );
    }
    entries.push([header, value]);
  }
  return entries;
}

/** A plain value is written down for everybody to see, but under a name that tells of a secret. */
function isPublic(header: string, reference: unknown): boolean {
  return typeof reference === 'string' && !/auth|key|token|secret|pass|cred|session/.test(header);
}
