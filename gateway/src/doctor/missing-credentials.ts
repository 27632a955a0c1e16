import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import { accountsOf } from '../config/accounts-of.ts';
import type { Configuration, Environment } from '../config/index.ts';
import { configuredAlternatives } from '../credentials/choose-alternative.ts';
import { isToolcribError } from '../errors.ts';
import type { Connection } from '../operations/index.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';
import type { Finding } from './finding.ts';

/** What calls of one source lack, all of them alike. */
export interface MissingCredential {
  readonly source: string;
  /** Operations that lack it, among those that were read. */
  readonly calls: number;
  readonly of: number;
  /** Names what would satisfy it, as the call itself does. */
  readonly message: string;
  readonly next: string;
}

/**
 * Calls that would end as `credentials_missing`, of at most `most` operations a source. Sources for which everybody
 * connects an account lack nothing themselves.
 */
export function missingCredentials(
  { sources, auth }: Configuration,
  catalog: Catalog,
  env: Environment,
  most = Number.POSITIVE_INFINITY,
): MissingCredential[] {
  const overHttp = Map.groupBy(
    catalog.entries.filter(({ facts }) => facts.http !== undefined),
    ({ source }) => source,
  );
  return catalog.sources.flatMap(({ name, provider }) => {
    const connection = catalog.connection(name);
    if (connection === undefined || connection.credentials === 'none') return [];
    if (accountsOf(sources[name], provider !== undefined, auth.mode) === 'records') return [];
    const own = (overHttp.get(name) ?? []).slice(0, most);
    const lacking = own.flatMap((entry) => lackOf(entry, connection, env));
    return [...Map.groupBy(lacking, ({ message }) => message).values()].map((alike) => ({
      source: name,
      calls: alike.length,
      of: own.length,
      ...alike[0]!,
    }));
  });
}

function lackOf(
  entry: CatalogEntry,
  connection: Connection,
  env: Environment,
): Array<Pick<MissingCredential, 'message' | 'next'>> {
  const { invocation } = entry.load();
  if (invocation.kind !== 'http' || invocation.security.length === 0) return [];
  try {
    configuredAlternatives(connection, invocation.security, env);
    return [];
  } catch (error) {
    if (!isToolcribError(error) || error.code !== 'credentials_missing') throw error;
    return [{ message: error.message, next: error.next }];
  }
}

export function checkMissingCredentials(
  configuration: Configuration,
  catalog: Catalog,
  env: Environment,
): Finding[] {
  return [
    ...misspeltSchemes(configuration, catalog),
    ...missingCredentials(configuration, catalog, env).map(
      ({ source, calls, of, message, next }): Finding => {
        const whose = calls === of ? 'Every call' : `${calls} of ${of} operations`;
        return {
          check: `credentials of ${source}`,
          status: 'warning',
          message: `${whose}: ${message}`,
          next,
        };
      },
    ),
  ];
}

/** Credentials by the name of a scheme that the document does not have: no call takes them. */
function misspeltSchemes({ sources }: Configuration, catalog: Catalog): Finding[] {
  return Object.entries(sources).flatMap(([source, { credentials }]) => {
    const known = Object.keys(catalog.connection(source)?.securitySchemes ?? {});
    if (credentials === undefined || credentials === 'none' || known.length === 0) return [];
    return Object.keys(credentials.schemes ?? {})
      .filter((name) => !known.includes(name))
      .map(
        (name): Finding => ({
          check: `credentials of ${source}`,
          status: 'warning',
          message: `sources.${source}.credentials.schemes names ${name}, which is no security scheme of its document.${didYouMean(name, known)}`,
          next: `Its schemes are called ${known.join(', ')}.`,
        }),
      );
  });
}
