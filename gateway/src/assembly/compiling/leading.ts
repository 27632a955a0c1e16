import type { Catalog } from '../../catalog/catalog.ts';
import type { Leading, LeadingOf } from '../../compiler/lock-origins.ts';
import { baseUrlOf } from '../../operations/http/base-url.ts';
import type { Connection, Operation } from '../../operations/index.ts';

/**
 * Where definitions of a catalog's sources lead, now and as the lock has them: by the rules of calls and of tokens. What
 * the lock holds is a file's text: where it makes no address there is none.
 */
export function leadingIn(catalog: Pick<Catalog, 'connection'>): LeadingOf {
  return (source, definition) => {
    const connection = catalog.connection(source);
    if (connection === undefined) return [];
    const { invocation, endpoints } = definition as {
      readonly invocation?: Operation['invocation'];
      readonly endpoints?: unknown;
    };
    const calls = invocation === undefined ? undefined : callOrigin(invocation, connection);
    const tokens = tokenOrigins(endpoints, connection);
    const leading = (what: Leading['what'], origin: string): Leading => ({
      what,
      origin,
      isNamed: connection.named?.includes(origin) === true,
    });
    return [
      ...(calls === undefined ? [] : [leading('calls', calls)]),
      ...tokens.map((origin) => leading('tokens', origin)),
    ];
  };
}

function callOrigin(invocation: Operation['invocation'], connection: Connection): string | undefined {
  if (connection.baseUrl !== undefined || invocation.kind !== 'http') return undefined;
  try {
    return baseUrlOf(invocation, connection).origin;
  } catch {
    return undefined;
  }
}

/** Relative ones go with the calls. */
function tokenOrigins(endpoints: unknown, { credentials }: Connection): readonly string[] {
  const isConfigured =
    credentials !== undefined && credentials !== 'none' && credentials.oauth2?.tokenUrl !== undefined;
  if (isConfigured || !Array.isArray(endpoints)) return [];
  const origins = endpoints.flatMap((url) => (typeof url === 'string' ? (URL.parse(url)?.origin ?? []) : []));
  return [...new Set(origins)];
}
