import { existsSync } from 'node:fs';
import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import { documentAddresses } from '../config/document-addresses.ts';
import type { Configuration, Environment } from '../config/index.ts';
import { configuredAlternatives } from '../credentials/choose-alternative.ts';
import { isToolcribError } from '../errors.ts';
import { baseUrlOf } from '../operations/http/base-url.ts';
import type { Connection } from '../operations/index.ts';
import type { Finding } from './finding.ts';

/** Operations of one source that are read to learn its servers. */
const MOST_READ = 200;

/**
 * Documents of the web that say by themselves where a credential goes, to hosts other than their own: with the next
 * version of the document it goes elsewhere. A lock would withhold that.
 */
export function checkUnheldAddresses(
  { sources, lock }: Configuration,
  catalog: Catalog,
  env: Environment,
): Finding[] {
  if (existsSync(lock.file)) return [];
  return catalog.sources.flatMap(({ name }): Finding[] => {
    const connection = catalog.connection(name);
    const source = sources[name];
    const document = source && documentAddresses(source).find((address) => /^https?:/i.test(address));
    if (connection === undefined || document === undefined || connection.baseUrl !== undefined) return [];
    const own = catalog.entries.filter((entry) => entry.source === name).slice(0, MOST_READ);
    const origins = [...new Set(own.flatMap((entry) => originOf(entry, connection, env) ?? []))];
    const [origin, ...others] = origins.filter((one) => !connection.named?.includes(one));
    if (origin === undefined) return [];
    const advice = others.length > 0 ? 'Write' : `Name the address (sources.${name}.baseUrl), or write`;
    return [
      {
        check: `address of ${name}`,
        status: 'warning',
        message: `Its document at ${new URL(document).host} decides that its credential goes to ${[origin, ...others].join(', ')}; a later version of it may lead elsewhere.`,
        next: `${advice} a lock (\`toolcrib compile --out .\`), against which another address is withheld.`,
      },
    ];
  });
}

/** Undefined where no credential is sent, or there is no address. */
function originOf(entry: CatalogEntry, connection: Connection, env: Environment): string | undefined {
  const { invocation } = entry.load();
  if (invocation.kind !== 'http' || connection.credentials === 'none') return undefined;
  try {
    const [alternative] = configuredAlternatives(connection, invocation.security, env);
    return alternative.length === 0 ? undefined : baseUrlOf(invocation, connection).origin;
  } catch (error) {
    if (!isToolcribError(error)) throw error;
    return undefined;
  }
}
