import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts';
import type { EgressConfiguration } from '../../config/configuration.ts';
import { createOriginReview } from '../../egress/refused-origin.ts';
import { baseUrlOf } from '../../operations/http/base-url.ts';
import type { Diagnostic } from '../../operations/index.ts';

/** Operations whose servers are looked at: documents name the same ones again and again. */
const MAX_LOOKED_AT = 300;

/** Where the calls of one source go, and what of it the egress door refuses. */
export interface BaseUrls {
  /** Set where they all go to one place. */
  readonly baseUrl?: string;
  readonly findings: readonly Diagnostic[];
}

/**
 * A document that names a private or loopback address means another machine, or this one: the operator has to say so.
 * Judged by what is written; what a name resolves to is seen at the call.
 */
export function reviewBaseUrls(
  catalog: Pick<Catalog, 'connection'>,
  source: string,
  entries: readonly CatalogEntry[],
  egress: EgressConfiguration,
): BaseUrls {
  const connection = catalog.connection(source);
  if (connection === undefined) return { findings: [] };
  const { socketPath, named } = connection;
  const places = new Map<string, string>();
  const findings: Diagnostic[] = [];
  for (const entry of entries.slice(0, MAX_LOOKED_AT)) {
    const { invocation } = entry.load();
    if (invocation.kind !== 'http') continue;
    try {
      const { origin, path } = baseUrlOf(invocation, connection);
      places.set(origin + path, origin);
    } catch (error) {
      const { message } = error as Error;
      if (!findings.some((finding) => finding.message === message))
        findings.push({ code: 'base-url-missing', severity: 'error', message, source });
    }
  }
  const refusalOf = createOriginReview(egress);
  for (const origin of new Set(places.values())) {
    const refusal = refusalOf({ origin, socketPath, named });
    if (refusal === undefined) continue;
    findings.push({
      code: 'base-url-blocked',
      severity: 'error',
      message: `Calls go to ${origin}, which is refused: ${refusal.why}. If this address is meant, add ${JSON.stringify(refusal.host)} to egress.allow, or name it as baseUrl of the source.`,
      source,
    });
  }
  const [only, ...others] = places.keys();
  return { findings, ...(only === undefined || others.length > 0 ? {} : { baseUrl: only }) };
}
