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
    if (path === undefined || path === '/') return [];
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
