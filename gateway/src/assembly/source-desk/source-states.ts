import type { Catalog, CatalogSource } from '../../catalog/catalog.ts';
import type { SourceRead } from '../../catalog/source-reads.ts';
import type { LockChange } from '../../compiler/lock.ts';
import type { SourceConfiguration } from '../../config/configuration.ts';
import type { MissingCredential } from '../../doctor/index.ts';
import type { ToolcribError } from '../../errors.ts';
import type { SourceFault, SourceHealth, SourceState } from '../../server/http/admin/gateway-sources.ts';
import type { UpstreamState } from '../../upstreams/upstreams.ts';
import { placeOfSource } from './source-place.ts';

/** Everything that says how one source is. */
export interface SourceFacts {
  readonly name: string;
  readonly configured: SourceConfiguration;
  readonly origin: SourceState['origin'];
  readonly catalog: Catalog;
  readonly read: SourceRead | undefined;
  readonly isReading: boolean;
  readonly upstream: UpstreamState | undefined;
  /** Of all sources. */
  readonly changes: readonly LockChange[];
  /** Credentials that calls of any source lack. */
  readonly missing: readonly MissingCredential[];
}

/** A source's state, put together from what the rooms know. */
export function stateOfSource(facts: SourceFacts): SourceState {
  const { name, configured, origin, catalog, read, upstream, changes, missing } = facts;
  const served = catalog.sources.find((source) => source.name === name);
  const own = catalog.entries.filter(({ source }) => source === name);
  const diagnostics = { error: 0, warning: 0, info: 0 };
  for (const { source, severity } of catalog.diagnostics) if (source === name) diagnostics[severity]++;
  const differing = changes.filter(({ source, kind }) => source === name && kind !== 'removed');
  const rejected = differing.filter((change) => change.rejected !== undefined).length;
  const place = placeOfSource(configured);
  const { provider } = served ?? {};
  const [lacks] = missing
    .filter(({ source }) => source === name)
    .sort((one, other) => other.calls - one.calls);
  return {
    name,
    kind: configured.kind,
    health: healthOf(facts, served),
    ...(served === undefined ? {} : { fingerprint: served.fingerprint }),
    operations: served?.operations ?? 0,
    tools: own.filter(({ quarantined }) => !quarantined).length,
    skipped: catalog.skipped.filter(({ source }) => source === name).length,
    diagnostics,
    drift: { waiting: differing.length - rejected, rejected },
    origin,
    ...(served?.stale === undefined ? {} : { stale: served.stale }),
    ...(place === undefined ? {} : { place }),
    ...(read === undefined ? {} : timesOf(read)),
    ...(read?.error === undefined ? {} : { error: faultOf(read.error) }),
    ...(lacks === undefined
      ? {}
      : { lacks: { calls: lacks.calls, of: lacks.of, message: lacks.message, next: lacks.next } }),
    ...(provider === undefined
      ? {}
      : {
          provider: {
            name: provider.provider,
            displayName: provider.displayName,
            category: provider.category,
          },
        }),
    ...(upstream === undefined ? {} : { upstream: processOf(upstream) }),
  };
}

function healthOf(
  { read, isReading, upstream }: SourceFacts,
  served: CatalogSource | undefined,
): SourceHealth {
  if (upstream?.status === 'stopped') return 'paused';
  if (served === undefined) return isReading || read === undefined ? 'starting' : 'failing';
  if (served.stale !== undefined || read?.error !== undefined) return 'stale';
  if (upstream?.status === 'failed') return 'failing';
  if (upstream?.status === 'waiting') return 'failing';
  return upstream?.status === 'starting' ? 'starting' : 'ok';
}

export function faultOf({ code, message, next, pointer, location }: ToolcribError): SourceFault {
  return {
    code,
    message,
    next,
    ...(pointer === undefined ? {} : { pointer }),
    ...(location === undefined ? {} : { location }),
  };
}

function timesOf({ triedAt, readAt, durationMs }: SourceRead) {
  return { triedAt, durationMs, ...(readAt === undefined ? {} : { readAt }) };
}

function processOf({ status, restarts, pid, lastError, retryInMs }: UpstreamState) {
  return {
    status,
    restarts,
    ...(pid === undefined ? {} : { pid }),
    ...(lastError === undefined ? {} : { lastError }),
    ...(retryInMs === undefined ? {} : { retryInMs }),
  };
}
