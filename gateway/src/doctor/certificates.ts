import type { Configuration, Environment } from '../config/index.ts';
import type { SecretReader } from '../credentials/secret-reference.ts';
import { asToolcribError } from '../errors.ts';
import type { TlsSettings } from '../operations/index.ts';
import type { Finding } from './finding.ts';

/** A certificate that ends sooner than this is told, milliseconds. */
const SOON_MS = 14 * 24 * 60 * 60 * 1000;

/** Whether the client certificates of sources can be used, and until when. Nothing is sent. */
export async function checkCertificates(configuration: Configuration, env: Environment): Promise<Finding[]> {
  const named = Object.entries(configuration.sources).flatMap(([source, { tls }]) =>
    tls === undefined ? [] : [{ source, tls }],
  );
  if (named.length === 0) return [];
  const { createSecretReader } = await import('../credentials/secret-reference.ts');
  const secrets = createSecretReader(env, () => undefined);
  return Promise.all(named.map(({ source, tls }) => checkCertificate(source, tls, secrets)));
}

async function checkCertificate(source: string, tls: TlsSettings, secrets: SecretReader): Promise<Finding> {
  const check = `certificate of ${source}`;
  const { certificatesIn, createTlsIdentities } = await import('../credentials/tls-identity.ts');
  const { signal } = new AbortController();
  try {
    await createTlsIdentities(secrets).of({ source, tls }, signal);
    if (tls.certificate === undefined) return { check, status: 'ok', message: 'its authority can be read' };
    const place = `sources.${source}.tls.certificate`;
    const [own] = certificatesIn(await secrets.read(tls.certificate, place, signal, 'public'), place);
    return validity(check, own!.validToDate);
  } catch (error) {
    const { message, next } = asToolcribError(error);
    return { check, status: 'error', message, next };
  }
}

function validity(check: string, until: Date): Finding {
  const day = until.toISOString().slice(0, 10);
  const left = until.getTime() - Date.now();
  const next = 'Have it renewed; new files count with the next call.';
  if (left <= 0) return { check, status: 'error', message: `The client certificate ended on ${day}.`, next };
  if (left < SOON_MS)
    return { check, status: 'warning', message: `The client certificate ends on ${day}.`, next };
  return { check, status: 'ok', message: `the client certificate is valid until ${day}` };
}
