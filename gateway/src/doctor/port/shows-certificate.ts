import { once } from 'node:events';
import { connect } from 'node:tls';
import type { Environment } from '../../config/index.ts';
import { createSecretReader } from '../../credentials/secret-reference.ts';
import { certificatesIn } from '../../credentials/tls-identity.ts';
import type { TlsSettings } from '../../operations/index.ts';

/** What one that is not ours may take to shake hands, milliseconds. */
const PATIENCE_MS = 1_500;
const PLACE = 'server.tls.certificate';

/** Whether what listens there shows exactly this certificate. Nothing is sent, so nothing is trusted. */
export async function showsCertificate(
  url: string,
  { certificate }: Pick<TlsSettings, 'certificate'>,
  env: Environment,
): Promise<boolean> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  try {
    const { read } = createSecretReader(env, () => undefined);
    const [own] = certificatesIn(await read(certificate!, PLACE, signal, 'public'), PLACE);
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false });
    try {
      await once(socket, 'secureConnect', { signal });
      return socket.getPeerX509Certificate()?.fingerprint256 === own!.fingerprint256;
    } finally {
      socket.destroy();
    }
  } catch {
    return false;
  }
}
