import type { Catalog } from '../catalog/catalog.ts';
import type { Configuration } from '../config/index.ts';
import type { Finding } from './finding.ts';

/** Credentials that no request will carry: the document says of no operation that it asks for any. */
export function checkUnusedCredentials({ sources, file }: Configuration, catalog: Catalog): Finding[] {
  return Object.entries(sources).flatMap(([source, { credentials }]): Finding[] => {
    if (credentials === undefined || credentials === 'none' || !asksForNone(source, catalog)) return [];
    return [
      {
        check: `security of ${source}`,
        status: 'warning',
        message: 'Its credentials are never sent: the document says of no operation that it needs one.',
        next:
          file === undefined
            ? 'Add `security` to the document, or send the header: `headers` of the source in a toolcrib.yaml.'
            : `Add \`security\` by an overlay, or send the header by sources.${source}.headers.`,
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

function asksForNone(source: string, { entries }: Catalog): boolean {
  const own = entries.filter((entry) => entry.source === source);
  return (
    own.length > 0 &&
    own.every((entry) => {
      const { invocation } = entry.load();
      return (
        invocation.kind === 'http' &&
        invocation.security.every((alternative) => Object.keys(alternative).length === 0)
      );
    })
  );
}
