import type { Catalog } from '../../catalog/catalog.ts';
import type { Configuration } from '../../config/index.ts';
import type { Finding } from '../finding.ts';

/**
 * Base URLs that name a host alone, where the document says that its paths begin further down: a base URL stands for
 * the whole server of the document, so that calls leave its path out.
 */
export function checkBasePaths({ sources }: Configuration, catalog: Catalog): Finding[] {
  return Object.entries(sources).flatMap(([name, { kind, baseUrl }]): Finding[] => {
    if (kind !== 'openapi' || baseUrl === undefined || pathOf(baseUrl) !== '/') return [];
    const path = documentPath(catalog, name);
    if (path === undefined || path === '/' || doublingPath(catalog, name, path) !== undefined) return [];
    return [
      {
        check: `base URL of ${name}`,
        status: 'info',
        message: `${baseUrl} names a host alone; in the document paths begin at ${path}, which calls leave out.`,
        next: `If the service has it there, too, make it part of the base URL: ${new URL(path, baseUrl).href}`,
      },
    ];
  });
}

/** Base URLs, given or the document's, that end as each path of the document begins: calls would go there twice. */
export function checkDoubledPaths({ sources }: Configuration, catalog: Catalog): Finding[] {
  return Object.entries(sources).flatMap(([name, { kind, baseUrl }]): Finding[] => {
    const base = baseUrl === undefined ? documentPath(catalog, name) : pathOf(baseUrl);
    const first = base === undefined ? undefined : doublingPath(catalog, name, base);
    if (kind !== 'openapi' || first === undefined) return [];
    return [
      {
        check: `base URL of ${name}`,
        status: 'warning',
        message: `It ends with ${base}, and every path of the document begins so, too: calls go to ${base}${first}.`,
        next: `Unless the service has it twice, set sources.${name}.baseUrl to the address without ${base}.`,
      },
    ];
  });
}

/** The first path of a source whose paths all begin with another one; undefined where they do not. */
function doublingPath(catalog: Catalog, name: string, base: string): string | undefined {
  const paths = catalog.entries.flatMap(({ source, facts }) =>
    source === name && facts.http ? [facts.http.path] : [],
  );
  const doubles = base !== '/' && paths.every((path) => path === base || path.startsWith(`${base}/`));
  return doubles ? paths.find((path) => path !== base) : undefined;
}

/** Where the paths of its first operation begin; undefined where that hangs on a variable. */
function documentPath(catalog: Catalog, source: string): string | undefined {
  const invocation = catalog.entries.find((entry) => entry.source === source)?.load().invocation;
  const server = invocation?.kind === 'http' ? invocation.servers[0] : undefined;
  return server === undefined || server.url.includes('{') ? undefined : pathOf(server.url);
}

/** A document's own address may be relative to where it was read. */
function pathOf(address: string): string | undefined {
  const path = URL.parse(address, 'http://service.invalid')?.pathname;
  return path === '/' ? path : path?.replace(/\/$/, '');
}
