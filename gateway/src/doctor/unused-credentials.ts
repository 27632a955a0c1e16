import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import type { Configuration } from '../config/index.ts';
import type { Finding } from './finding.ts';

/** Credentials that no request will carry, or few: the document says of an operation whether it asks for any. */
export function checkUnusedCredentials({ sources, file }: Configuration, catalog: Catalog): Finding[] {
  return Object.entries(sources).flatMap(([source, { credentials }]): Finding[] => {
    if (credentials === undefined || credentials === 'none') return [];
    const own = catalog.entries.filter((entry) => entry.source === source);
    const without = own.filter(asksForNone).length;
    if (without * 2 <= own.length) return [];
    const next =
      file === undefined
        ? 'Add `security` to the document, or send the header: `headers` of the source in a toolcrib.yaml.'
        : `Add \`security\` by an overlay, or send the header by sources.${source}.headers.`;
    return [
      without === own.length
        ? {
            check: `security of ${source}`,
            status: 'warning',
            message: 'Its credentials are never sent: the document says of no operation that it needs one.',
            next,
          }
        : {
            check: `security of ${source}`,
            status: 'info',
            message: `Its credentials are not sent to ${without} of ${own.length} operations: the document says that they need none.`,
            next: `Where the service refuses these: ${next.charAt(0).toLowerCase()}${next.slice(1)}`,
          },
    ];
  });
}

/** As far as it costs no reading of operations: sources with credentials whose document knows no security scheme. */
export function withoutSchemes({ sources, entries, connection }: Catalog): string[] {
  return sources
    .map(({ name }) => name)
    .filter((name) => {
      const { credentials, securitySchemes = {} } = connection(name) ?? {};
      return (
        credentials !== undefined &&
        credentials !== 'none' &&
        Object.keys(securitySchemes).length === 0 &&
        entries.some(({ source, facts }) => source === name && facts.http !== undefined)
      );
    });
}

function asksForNone(entry: CatalogEntry): boolean {
  const { invocation } = entry.load();
  return (
    invocation.kind === 'http' &&
    invocation.security.every((alternative) => Object.keys(alternative).length === 0)
  );
}
