import type { ProviderFacts } from '../../operations/index.ts';
import type { ProviderManifest } from './manifest.ts';

/** What the rest of the gateway needs of a manifest beyond its operations. */
export function providerFacts(manifest: ProviderManifest): ProviderFacts {
  const { rateLimit, deprecated, onBehalfOf, generic, regions = {} } = manifest;
  return {
    provider: manifest.provider,
    displayName: manifest.displayName,
    category: manifest.category,
    baseUrl: manifest.baseUrl,
    apiVersion: manifest.apiVersion,
    blocklist: manifest.blocklist ?? [],
    regions: Object.fromEntries(Object.entries(regions).map(([name, { baseUrl }]) => [name, { baseUrl }])),
    ...(rateLimit === undefined
      ? {}
      : { rateLimit: { requests: rateLimit.requests, windowSeconds: rateLimit.windowSeconds } }),
    ...(onBehalfOf === undefined ? {} : { actingUser: onBehalfOf }),
    ...(deprecated === undefined
      ? {}
      : {
          deprecated: {
            ...(deprecated.since === undefined ? {} : { since: deprecated.since }),
            ...(deprecated.removal === undefined ? {} : { removal: deprecated.removal }),
            ...(deprecated.replacement === undefined ? {} : { replacement: deprecated.replacement }),
          },
        }),
    ...(generic === undefined ? {} : { generic }),
  };
}
