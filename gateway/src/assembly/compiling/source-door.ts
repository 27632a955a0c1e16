import { namedOrigins } from '../../config/allowed-destinations.ts';
import type { SourceConfiguration } from '../../config/configuration.ts';
import { documentAddresses } from '../../config/document-addresses.ts';
import type { SecretReader } from '../../credentials/secret-reference.ts';
import type { TlsIdentities } from '../../credentials/tls-identity.ts';
import { doorOf } from '../../egress/door-of.ts';
import type { Egress, OutgoingRequest } from '../../egress/egress.ts';

/**
 * The door for one source's documents, which lead to no private address of another source. With `tls` it shows the
 * source's certificate, and trusts its authorities, where the configuration says that the document or the service is.
 * With `socketPath` a document of the service itself comes through the socket. Other origins that a document refers to
 * get neither.
 */
export function sourceDoor(
  egress: Egress,
  source: string,
  configuration: SourceConfiguration,
  read: SecretReader['read'],
): Egress {
  const { tls, socketPath, baseUrl } = configuration;
  const door = doorOf(egress, namedOrigins(configuration));
  if (tls === undefined && socketPath === undefined) return door;
  const own = originOf(baseUrl);
  const named = documentAddresses(configuration).flatMap((address) => originOf(address) ?? []);
  const certified = new Set([own, ...named]);
  // a file that somebody else wrote could have anything read there by a reference
  const behindSocket = own !== undefined && named.includes(own) ? own : undefined;
  let identities: Promise<TlsIdentities> | undefined;
  const identityOf = async (signal: AbortSignal) => {
    if (tls === undefined) return undefined;
    identities ??= import('../../credentials/tls-identity.ts').then(({ createTlsIdentities }) =>
      createTlsIdentities({ read }),
    );
    return (await identities).of({ source, tls }, signal);
  };
  const wayOf = async (url: string, signal: AbortSignal): Promise<Partial<OutgoingRequest>> => {
    const { protocol, origin } = new URL(url);
    if (protocol === 'http:')
      return socketPath === undefined || origin !== behindSocket ? {} : { socketPath };
    const identity = certified.has(origin) ? await identityOf(signal) : undefined;
    return identity === undefined ? {} : { tls: identity };
  };
  return {
    ...door,
    request: async (request, limits, signal) =>
      door.request({ ...request, ...(await wayOf(request.url, signal)) }, limits, signal),
  };
}

function originOf(address: string | undefined): string | undefined {
  return address === undefined ? undefined : URL.parse(address)?.origin;
}
