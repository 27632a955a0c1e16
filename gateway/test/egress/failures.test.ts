import { expect, it } from 'vitest';
import type { FailureKind, Sent } from '../../src/egress/egress.ts';
import { EgressFailure } from '../../src/egress/egress.ts';
import { failureOf } from '../../src/egress/failures.ts';
import { tlsAdvice } from '../../src/egress/tls-fault.ts';

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code });
const parser = (message: string) => Object.assign(new Error(message), { name: 'HTTPParserError' });

it.each<[what: string, error: unknown, sent: Sent, status: number | undefined, kind: FailureKind]>([
  ['a shutdown', coded('UND_ERR_DESTROYED'), 'all', undefined, 'cancelled'],
  ['a connection refused', coded('ECONNREFUSED'), 'none', undefined, 'connect_refused'],
  [
    'the first of several addresses',
    { errors: [coded('ENETUNREACH'), coded('X')] },
    'none',
    undefined,
    'connect_refused',
  ],
  ['a connection that takes too long', coded('ETIMEDOUT'), 'none', undefined, 'connect_timeout'],
  ['the same of undici', coded('UND_ERR_CONNECT_TIMEOUT'), 'none', undefined, 'connect_timeout'],
  ['a request that is none', coded('UND_ERR_INVALID_ARG'), 'none', undefined, 'request_invalid'],
  ['an unknown authority', coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'none', undefined, 'tls_cert'],
  ['a failed handshake', coded('EPROTO'), 'none', undefined, 'tls_cert'],
  [
    'an alert after the request',
    coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
    'all',
    undefined,
    'tls_cert',
  ],
  ['an alert within an answer', coded('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'), 'all', 200, 'body_truncated'],
  ['anything else before', coded('ECONNRESET'), 'none', undefined, 'reset'],
  // what was sent may have been carried out, whatever the system calls it
  ['a connection refused later', coded('ECONNREFUSED'), 'all', undefined, 'reset'],
  ['no answer', coded('ECONNRESET'), 'all', undefined, 'reset'],
  ['half an answer', coded('ECONNRESET'), 'all', 200, 'body_truncated'],
  ['no head of HTTP', parser('Expected HTTP/'), 'all', undefined, 'malformed'],
  ['an end in the head', parser('Invalid EOF state'), 'all', undefined, 'malformed'],
  ['an end in the body', parser('Invalid EOF state'), 'all', 200, 'body_truncated'],
  ['a body that is none', parser('Invalid chunk'), 'all', 200, 'malformed'],
  ['two lengths', coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), 'all', undefined, 'malformed'],
  ['less than its length', coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), 'all', 200, 'body_truncated'],
  ['a head that is too large', coded('UND_ERR_HEADERS_OVERFLOW'), 'all', undefined, 'malformed'],
  ['an upgrade that nobody asked for', coded('UND_ERR_SOCKET', 'bad upgrade'), 'all', undefined, 'malformed'],
  ['a socket that closed', coded('UND_ERR_SOCKET', 'other side closed'), 'all', undefined, 'reset'],
])('%s', (_, error, sent, status, kind) => {
  expect(failureOf(error, { host: 'api.example', sent, status })).toMatchObject({
    kind,
    sent,
    cause: error,
    ...(status === undefined ? {} : { status }),
  });
});

it('what is known already stays as it is', () => {
  const known = new EgressFailure('too_large', 'all', 'x');
  expect(failureOf(known, { host: 'api.example', sent: 'none', status: undefined })).toBe(known);
});

it.each([
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'does not speak TLS: is its address one of http?', 'no_tls'],
  ['EPROTO', 'does not speak TLS: is its address one of http?', 'no_tls'],
  ['CERT_HAS_EXPIRED', 'has a TLS certificate that is not valid at this time', 'expired'],
  ['CERT_NOT_YET_VALID', 'has a TLS certificate that is not valid at this time', 'expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'has a TLS certificate of another host', 'other_host'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'has no TLS certificate that can be trusted', 'untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'has no TLS certificate that can be trusted', 'untrusted'],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'refuses the TLS connection', 'refused'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'refuses the TLS connection', 'refused'],
])('%s is told as what it means', (code, meaning, fault) => {
  const { message, tls } = failureOf(coded(code), { host: 'api.example', sent: 'none', status: undefined });
  expect(message).toBe(`api.example ${meaning} (${code})`);
  expect(tls).toBe(fault);
});

it.each(['EMFILE', 'ENFILE'])('%s is a lack on this side, no fault of the service', (code) => {
  const error = Object.assign(new Error(`connect ${code}`), { code });
  const { sent, message } = failureOf(error, { host: 'api.example', sent: 'none', status: undefined });
  expect(sent).toBe('none');
  expect(message).toBe(
    `api.example was not connected to: too many files and connections are open on this side (${code})`,
  );
});

it.each([
  ['no_tls', 'Begin `tokenUrl` with http://, or correct its port.'],
  ['other_host', 'Write the host into `tokenUrl` as the certificate names it.'],
  ['untrusted', 'Name the authority that signed it with NODE_EXTRA_CA_CERTS=FILE.'],
] as const)('the mend for %s names the setting of the address', (fault, advice) => {
  expect(tlsAdvice(fault, 'tokenUrl')).toBe(advice);
});

it('an authority is named at the source, where the address is its own', () => {
  expect(tlsAdvice('untrusted')).toContain('`tls: { ca: { file: FILE } }` of the source, or with');
});
