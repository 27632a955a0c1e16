import type { SourceConfiguration } from '../../config/configuration.ts';
import type { SecretReader } from '../../credentials/secret-reference.ts';
import type { TlsIdentities } from '../../credentials/tls-identity.ts';
import type { Egress } from '../../egress/egress.ts';
import { isObject } from '../../operations/index.ts';

type Certified = Pick<SourceConfiguration, 'tls' | 'baseUrl' | 'settings'>;

/**
 * The door for one source's documents: with `tls` it shows the source's certificate, and trusts its authorities, where
 * the configuration says that the document or the service is. Other origins that a document refers to get neither.
 */
export function certifiedDoor(
  egress: Egress,
  source: string,
  { tls, baseUrl, settings }: Certified,
  read: SecretReader['read'],
): Egress {
  if (tls === undefined) return egress;
  const origins = new Set([baseUrl, ...addressesIn(settings)].flatMap((address) => originOf(address) ?? []));
  let identities: Promise<TlsIdentities> | undefined;
  return {
    ...egress,
    async request(request, limits, signal) {
      const { protocol, origin } = new URL(request.url);
      if (protocol !== 'https:' || !origins.has(origin)) return egress.request(request, limits, signal);
      identities ??= import('../../credentials/tls-identity.ts').then(({ createTlsIdentities }) =>
        createTlsIdentities({ read }),
      );
      const identity = await (await identities).of({ source, tls }, signal);
      return egress.request(identity === undefined ? request : { ...request, tls: identity }, limits, signal);
    },
  };
}

/** Where a kind's own settings say that the source is: a document, or a service that describes itself. */
function addressesIn(settings: unknown): readonly unknown[] {
  if (!isObject(settings)) return [settings];
  return [settings['document'], settings['url'], settings['file']];
}

function originOf(address: unknown): string | undefined {
  return typeof address === 'string' ? URL.parse(address)?.origin : undefined;
}
