import type { Catalog } from '../catalog/catalog.ts';
import type { Configuration } from '../config/index.ts';
import type { HttpInvocation } from '../operations/index.ts';

/** Where calls would go. */
export interface Service {
  readonly origin: string;
  /** What may be asked for there: the address of an operation that needs no argument in its path, else the root. */
  readonly probe: string;
}

/** Operations of one source that are read to learn its servers. */
const MOST_READ = 200;

/** The services behind a catalog, each once: the base URL of the configuration, else the document's servers. */
export function servicesOf({ sources }: Configuration, catalog: Catalog): Service[] {
  const probes = new Map<string, string>();
  const read = new Map<string, number>();
  for (const entry of catalog.entries) {
    const source = sources[entry.source];
    if (source === undefined || source.kind === 'self') continue;
    let base = source.baseUrl;
    if (base === undefined) {
      const already = read.get(entry.source) ?? 0;
      if (already >= MOST_READ) continue;
      read.set(entry.source, already + 1);
      const { invocation } = entry.load();
      if (invocation.kind === 'http') base = serverUrl(invocation, source.serverVariables ?? {});
    }
    const url = base === undefined ? undefined : URL.parse(base);
    if (url === null || url === undefined || !url.protocol.startsWith('http')) continue;
    const known = probes.get(url.origin);
    if (known === undefined) probes.set(url.origin, `${url.origin}/`);
    if (known === undefined || new URL(known).pathname === '/') {
      const address = operationAddress(url, entry.facts.http);
      if (address !== undefined) probes.set(url.origin, address);
    }
  }
  return [...probes].map(([origin, probe]) => ({ origin, probe }));
}

/** Undefined for what changes something, and where arguments would have to be invented. */
function operationAddress(
  base: URL,
  http: { readonly method: string; readonly path: string } | undefined,
): string | undefined {
  if (http?.method !== 'GET' || !/^\/[^{}#?]*$/.test(http.path)) return undefined;
  return URL.parse(`${base.origin}${base.pathname.replace(/\/$/, '')}${http.path}`)?.href;
}

function serverUrl(
  { servers }: HttpInvocation,
  variables: Readonly<Record<string, string>>,
): string | undefined {
  const [server] = servers;
  return server?.url.replace(
    /\{([^}]+)\}/g,
    (_all, name: string) => variables[name] ?? server.variables?.[name]?.default ?? '',
  );
}
