import { createHash, X509Certificate } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import type { TlsIdentity } from '../egress/egress.ts';
import { ToolcribError } from '../errors.ts';
import type { Connection, TlsSettings } from '../operations/index.ts';
import type { SecretReader } from './secret-reference.ts';

export interface TlsIdentities {
  /** As the files and variables say now; the same object as long as they say the same. */
  of(connection: Pick<Connection, 'source' | 'tls'>, signal: AbortSignal): Promise<TlsIdentity | undefined>;
}

/** What the references of one place hold, PEM. */
export interface TlsTexts {
  readonly certificate?: string;
  readonly key?: string;
  readonly passphrase?: string;
  readonly ca?: string;
}

/** Client certificates and authorities of sources, read at call time: one that is exchanged counts with the next call. */
export function createTlsIdentities(secrets: Pick<SecretReader, 'read'>): TlsIdentities {
  const known = new Map<string, TlsIdentity>();
  return {
    async of({ source, tls }, signal) {
      if (tls === undefined) return undefined;
      const place = `sources.${source}.tls`;
      const texts = await readTlsTexts(tls, place, secrets, signal);
      const id = idOfTexts(texts);
      const before = known.get(source);
      if (before?.id === id) return before;
      const identity = { id, context: await secureContext(texts, place) };
      known.set(source, identity);
      return identity;
    },
  };
}

/** Equal for equal contents. */
export function idOfTexts(texts: TlsTexts): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
}

/** Throws `credentials_missing`. */
export async function readTlsTexts(
  { certificate, key, passphrase, ca }: TlsSettings,
  place: string,
  secrets: Pick<SecretReader, 'read'>,
  signal: AbortSignal,
): Promise<TlsTexts> {
  return {
    ...(ca === undefined ? {} : { ca: await secrets.read(ca, `${place}.ca`, signal, 'public') }),
    ...(certificate === undefined
      ? {}
      : { certificate: await secrets.read(certificate, `${place}.certificate`, signal, 'public') }),
    ...(key === undefined ? {} : { key: await secrets.read(key, `${place}.key`, signal) }),
    ...(passphrase === undefined
      ? {}
      : { passphrase: await secrets.read(passphrase, `${place}.passphrase`, signal) }),
  };
}

/** Throws `configuration_invalid` for what is no PEM, or does not belong together. */
export async function secureContext(texts: TlsTexts, place: string): Promise<SecureContext> {
  const { createSecureContext, getCACertificates } = await import('node:tls');
  const { certificate: cert, key, passphrase, ca } = texts;
  for (const [name, text] of Object.entries({ certificate: cert, ca })) {
    if (text !== undefined) certificatesIn(text, `${place}.${name}`);
  }
  try {
    return createSecureContext({
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(passphrase === undefined ? {} : { passphrase }),
      ...(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }),
    });
  } catch (error) {
    throw unusable(place, problemOf((error as { code?: unknown }).code, passphrase !== undefined));
  }
}

/** The certificates of a PEM text, the first one first. Throws `configuration_invalid`. */
export function certificatesIn(text: string, place: string): readonly X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    if (blocks.length > 0) return blocks.map((block) => new X509Certificate(block));
  } catch {
    // said below
  }
  // the name of a file in the place of what is in it
  const isName = /^\S{1,300}\.(?:pem|crt|cer|cert)$/i.test(text);
  throw unusable(
    place,
    'it holds no certificate in PEM',
    isName ? `A file is named by { file: … }: ${place}: { file: ${text} }.` : undefined,
  );
}

function problemOf(code: unknown, withPassphrase: boolean): string {
  if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') return 'the key does not belong to the certificate';
  if (code === 'ERR_OSSL_BAD_DECRYPT') {
    return withPassphrase ? 'the passphrase does not open the key' : 'the key needs a passphrase';
  }
  return 'the key is no private key in PEM';
}

function unusable(place: string, problem: string, next?: string): ToolcribError {
  return new ToolcribError(
    'configuration_invalid',
    `${place} cannot be used: ${problem}.`,
    next === undefined ? {} : { next },
  );
}
