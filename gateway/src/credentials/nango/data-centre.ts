import { ToolcribError } from '../../errors.ts';
import type { Connection } from '../../operations/index.ts';
import type { ConnectionConfig } from './nango-credential.ts';

/** Zoho's data centres by the domain that Nango notes; a token is valid in its own only. */
const REGIONS: Readonly<Record<string, string>> = {
  com: 'us',
  eu: 'eu',
  in: 'in',
  'com.cn': 'cn',
  'com.au': 'au',
  jp: 'jp',
  ca: 'ca',
  sa: 'sa',
  uk: 'uk',
};

/** `com.cn` → `cn`; undefined for none and for one that is not known. */
export function regionOfExtension(extension: string | undefined): string | undefined {
  return extension !== undefined && Object.hasOwn(REGIONS, extension) ? REGIONS[extension] : undefined;
}

/**
 * Refuses to use a token outside the data centre that issued it: the record's region and the host of the request
 * must be what Nango notes. Throws `configuration_invalid`; nothing was sent.
 */
export function assertDataCentre(
  { name, region }: Connection,
  requestUrl: string,
  { extension }: ConnectionConfig,
): void {
  if (extension === undefined) return;
  const own = regionOfExtension(extension);
  if (region !== undefined && region !== own && region !== extension) {
    throw elsewhere(name, extension, `the connection's region is ${region}`, own);
  }
  const suffix = /(?:^|\.)zoho(?:cloud)?\.([a-z.]+)$/.exec(URL.parse(requestUrl)?.hostname ?? '')?.[1];
  if (suffix !== undefined && suffix !== extension) {
    throw elsewhere(name, extension, `the request would go to zoho.${suffix}`, own);
  }
}

function elsewhere(
  name: string,
  extension: string,
  contradiction: string,
  own: string | undefined,
): ToolcribError {
  const mend = own === undefined ? '' : ` Set the connection's region to ${own}.`;
  return new ToolcribError(
    'configuration_invalid',
    `The token of connection ${name} belongs to the data centre ${extension}, but ${contradiction}; it was not sent.${mend}`,
    { details: { extension } },
  );
}
