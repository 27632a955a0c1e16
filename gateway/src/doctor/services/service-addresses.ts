import type { Catalog } from '../../catalog/catalog.ts';
import type { Configuration } from '../../config/index.ts';
import { isToolcribError } from '../../errors.ts';
import { baseUrlOf } from '../../operations/http/base-url.ts';
import type { Connection } from '../../operations/index.ts';

/** Where calls would go. */
export interface Service {
  readonly origin: string;
  /** What may be asked for there: the address of an operation that needs no argument in its path, else the root. */
  readonly probe: string;
  /** Through which it is asked, where the source has one. */
  readonly socketPath?: string;
  /** Of the source, whose `tls` it has. */
  readonly certified?: Pick<Connection, 'source' | 'tls'>;
  /** As in a request; of several sources that call it, of one that the configuration does not name it for. */
  readonly named?: readonly string[];
  /** The setting that says where it is; absent: `baseUrl` of the source. */
  readonly setting?: string;
}

/** Operations of one source that are read to learn its servers. */
const MOST_READ = 200;

/** What lies behind a catalog. */
export interface Services {
  /** Each once. */
  readonly services: readonly Service[];
  /** Why calls of some operations lead nowhere, each once. */
  readonly faults: readonly string[];
}

/** Where calls would go, by the same rule as the calls themselves: the connection's base URL, else the document's servers. */
export function servicesOf({ sources }: Configuration, catalog: Catalog): Services {
  const found = new Map<string, Service>();
  const read = new Map<string, number>();
  const faults = new Set<string>();
  for (const entry of catalog.entries) {
    const connection = catalog.connection(entry.source);
    const kind = sources[entry.source]?.kind;
    if (connection === undefined || kind === undefined || kind === 'self') continue;
    let base = connection.baseUrl;
    if (base === undefined) {
      const already = read.get(entry.source) ?? 0;
      if (already >= MOST_READ) continue;
      read.set(entry.source, already + 1);
      const { invocation } = entry.load();
      if (invocation.kind !== 'http') continue;
      try {
        const { origin, path } = baseUrlOf(invocation, connection);
        base = origin + path;
      } catch (error) {
        if (!isToolcribError(error)) throw error;
        faults.add(error.message);
        continue;
      }
    }
    const url = URL.parse(base);
    if (url === null || !url.protocol.startsWith('http')) continue;
    const { origin } = url;
    const { socketPath, named } = connection;
    const certified = certifiedBy(connection);
    const key = `${socketPath ?? ''} ${certified?.source ?? ''} ${origin}`;
    const before = found.get(key);
    const probe = before?.probe ?? `${origin}/`;
    const strictest = before?.named?.includes(origin) === false ? before.named : named;
    const address = new URL(probe).pathname === '/' ? operationAddress(url, entry.facts.http) : undefined;
    found.set(key, {
      origin,
      probe: address ?? probe,
      ...(socketPath === undefined ? {} : { socketPath }),
      ...(certified === undefined ? {} : { certified }),
      ...(strictest === undefined ? {} : { named: strictest }),
    });
  }
  return { services: [...found.values()], faults: [...faults] };
}

/** A certificate goes to the connection's own address alone, as with calls. */
function certifiedBy({ source, tls, baseUrl, provider }: Connection): Service['certified'] {
  const isOwn = baseUrl !== undefined || provider === undefined;
  return tls !== undefined && isOwn ? { source, tls } : undefined;
}

/** Undefined for what changes something, and where arguments would have to be invented. */
function operationAddress(
  base: URL,
  http: { readonly method: string; readonly path: string } | undefined,
): string | undefined {
  if (http?.method !== 'GET' || !/^\/[^{}#?]*$/.test(http.path)) return undefined;
  return URL.parse(`${base.origin}${base.pathname.replace(/\/$/, '')}${http.path}`)?.href;
}
