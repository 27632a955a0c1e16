import type { Catalog } from '../catalog/catalog.ts';
import { accountsOf } from '../config/accounts-of.ts';
import type { Configuration } from '../config/index.ts';
import type { NangoCredential } from '../operations/index.ts';
import type { Finding } from './finding.ts';

/** Sources that everybody shares an account of, which nobody names: each of their calls would end as connection_missing. */
export function checkNango({ sources, auth }: Configuration, catalog: Catalog): Finding[] {
  return nangoPlaces(sources).flatMap(({ source, place, nango }): Finding[] => {
    const isProvider = catalog.connection(source)?.provider !== undefined;
    if (nango.connection !== undefined || accountsOf(sources[source], isProvider, auth.mode) === 'records')
      return [];
    return [
      {
        check: `credentials of ${source}`,
        status: 'error',
        message: `${place} names no connection, and the source has no connection records: no call gets a credential.`,
        next: `Set ${place}.connection to a connection id of Nango; or \`connections: records\`, where users of a team connect their own.`,
      },
    ];
  });
}

/** Addresses of installations of the operator's own: what is wrong with the cloud's is not in the configuration. */
export function nangoAddresses(
  sources: Configuration['sources'],
): (readonly [url: string, setting: string])[] {
  const byUrl = new Map<string, string>();
  for (const { place, nango } of nangoPlaces(sources)) {
    if (nango.baseUrl === undefined) continue;
    const url = `${nango.baseUrl.replace(/\/$/, '')}/connections`;
    if (!byUrl.has(url)) byUrl.set(url, `${place}.baseUrl`);
  }
  return [...byUrl];
}

function nangoPlaces(sources: Configuration['sources']) {
  return Object.entries(sources).flatMap(([source, { credentials }]) => {
    if (credentials === undefined || credentials === 'none') return [];
    const at = `sources.${source}.credentials`;
    const settings = [
      [at, credentials] as const,
      ...Object.entries(credentials.schemes ?? {}).map(
        ([scheme, one]) => [`${at}.schemes.${scheme}`, one] as const,
      ),
    ];
    return settings.flatMap(
      ([place, { nango }]): { source: string; place: string; nango: NangoCredential }[] =>
        nango === undefined ? [] : [{ source, place: `${place}.nango`, nango }],
    );
  });
}
