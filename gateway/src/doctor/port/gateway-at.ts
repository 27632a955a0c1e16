import { type Environment, localAddress, type ServerAddress } from '../../config/index.ts';
import { isObject } from '../../operations/index.ts';
import { askAt } from './ask-at.ts';

/** A gateway that answers at an address. */
export interface GatewayAt {
  /** Without a slash at the end. */
  readonly url: string;
  /** Name and version, as far as it says them. */
  readonly label: string;
}

/**
 * Asks what listens there whether it is a gateway, without any credential; undefined: it is something else. One that
 * speaks https is known by the certificate that is configured, whose name need not be this address.
 */
export async function gatewayAt(address: ServerAddress, env: Environment): Promise<GatewayAt | undefined> {
  const url = localAddress(address);
  if (address.tls !== undefined) {
    const { showsCertificate } = await import('./shows-certificate.ts');
    return (await showsCertificate(url, address.tls, env)) ? { url, label: 'Toolcrib' } : undefined;
  }
  const ready = await askAt(url, '/readyz');
  if (typeof ready?.['catalog'] !== 'string') return undefined;
  const session = await askAt(url, '/api/v1/session');
  const gateway = session?.['gateway'];
  const { name, version } = (isObject(gateway) ? gateway : {}) as { name?: unknown; version?: unknown };
  return { url, label: `${text(name) ?? 'Toolcrib'}${text(version) === undefined ? '' : ` ${version}`}` };
}

/** What it says of itself is shown to a person: short, and nothing that steers a terminal. */
function text(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w .@+-]{1,64}$/.test(value) ? value : undefined;
}
