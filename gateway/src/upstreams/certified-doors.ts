import type { SecretReader } from '../credentials/secret-reference.ts';
import { createTlsIdentities, type TlsIdentities } from '../credentials/tls-identity.ts';
import type { Egress, TlsIdentity } from '../egress/egress.ts';
import type { TlsSettings } from '../operations/index.ts';

/** A server that is reached at an address. */
interface Certified {
  readonly name: string;
  readonly url: string;
  readonly tls?: TlsSettings | undefined;
}

export interface CertifiedDoors {
  /** For the server, which sees its source's certificate. Other origins do not, the source's authorities count there, too. */
  toServer(server: Certified): Egress;
  /** For the token endpoint, which sees the certificate wherever it is (RFC 8705). */
  toTokenEndpoint(server: Certified): Egress;
}

/** Doors for servers whose source has `tls`; for others, the door itself. Files are read anew with each request. */
export function createCertifiedDoors(egress: Egress, secrets: Pick<SecretReader, 'read'>): CertifiedDoors {
  const whole = createTlsIdentities(secrets);
  const authorities = createTlsIdentities(secrets);
  return {
    toServer({ name, url, tls }) {
      if (tls === undefined) return egress;
      const { origin } = new URL(url);
      const { ca } = tls;
      return certified(egress, (target, signal) => {
        if (target.origin === origin) return whole.of({ source: name, tls }, signal);
        return ca === undefined || !isSecure(target)
          ? undefined
          : authorities.of({ source: name, tls: { ca } }, signal);
      });
    },
    toTokenEndpoint({ name, tls }) {
      if (tls === undefined) return egress;
      return certified(egress, (target, signal) =>
        isSecure(target) ? whole.of({ source: name, tls }, signal) : undefined,
      );
    },
  };
}

/** The server over http is refused by the door; what its sign-in asks over http goes as it is. */
const isSecure = ({ protocol }: URL) => protocol === 'https:';

type Choose = (target: URL, signal: AbortSignal) => ReturnType<TlsIdentities['of']> | undefined;

function certified(egress: Egress, choose: Choose): Egress {
  return {
    ...egress,
    async request(request, limits, signal) {
      const tls = await identityFor(request.url, signal);
      return egress.request(tls === undefined ? request : { ...request, tls }, limits, signal);
    },
    async fetch(input, init, limits, terms) {
      const tls = await identityFor(String(input), init?.signal ?? new AbortController().signal);
      return egress.fetch(input, init, limits, tls === undefined ? terms : { ...terms, tls });
    },
  };

  async function identityFor(url: string, signal: AbortSignal): Promise<TlsIdentity | undefined> {
    const target = URL.parse(url);
    return target === null ? undefined : choose(target, signal);
  }
}
