/** Why no connection by TLS came about: what answers speaks none, it refuses ours, or its certificate is not trusted. */
export type TlsFault = 'no_tls' | 'refused' | 'expired' | 'other_host' | 'untrusted';

/** What came back to the handshake was no record of TLS, such as the answer of a server for plain HTTP. */
const NO_TLS: ReadonlySet<string> = new Set([
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_UNKNOWN_PROTOCOL',
  'ERR_SSL_HTTP_REQUEST',
]);
const EXPIRED: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);
const OTHER_HOST: ReadonlySet<string> = new Set(['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH']);
/** OpenSSL's verification results and Node's own checks; handshake faults are as permanent as these. */
const UNTRUSTED =
  /CERT|SELF_SIGNED|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|CRL_|PATH_LENGTH|^ERR_SSL_|^ERR_TLS_/;

/** By the code of Node or OpenSSL; undefined: TLS is not the reason. */
export function tlsFaultOf(code: string): TlsFault | undefined {
  if (NO_TLS.has(code)) return 'no_tls';
  if (isAlert(code)) return 'refused';
  if (EXPIRED.has(code)) return 'expired';
  if (OTHER_HOST.has(code)) return 'other_host';
  return UNTRUSTED.test(code) ? 'untrusted' : undefined;
}

/** The other side says why it ends TLS. */
export function isAlert(code: string): boolean {
  return /^ERR_SSL_.*ALERT/.test(code);
}

/** What is said of the host. */
export const TLS_FAULTS: Readonly<Record<TlsFault, string>> = {
  no_tls: 'does not speak TLS: is its address one of http?',
  refused: 'refuses the TLS connection',
  expired: 'has a TLS certificate that is not valid at this time',
  other_host: 'has a TLS certificate of another host',
  untrusted: 'has no TLS certificate that can be trusted',
};

/** What the operator can do. `setting` is what names the address; only a source's has a `tls` of its own. */
export function tlsAdvice(fault: TlsFault, setting = 'baseUrl'): string {
  switch (fault) {
    case 'no_tls':
      return `Begin \`${setting}\` with http://, or correct its port.`;
    case 'refused':
      return 'It may want a client certificate, or another one, by `tls: { certificate, key }` of the source; else it knows no version of TLS that is offered.';
    case 'expired':
      return 'Have the certificate renewed, or correct the clock of this machine.';
    case 'other_host':
      return `Write the host into \`${setting}\` as the certificate names it.`;
    case 'untrusted': {
      const own = setting === 'baseUrl' ? 'by `tls: { ca: { file: FILE } }` of the source, or ' : '';
      return `Name the authority that signed it ${own}with NODE_EXTRA_CA_CERTS=FILE.`;
    }
  }
}
