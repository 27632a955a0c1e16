import { OF_CONNECTION } from '../operations/http/connection-headers.ts';
import { HTTP_TOKEN } from '../operations/http/http-token.ts';
import { VERSION } from '../version.ts';
import { EgressFailure, type OutgoingRequest, type TlsIdentity } from './egress.ts';

/** One hop's request as it goes to the connection. */
export interface WireRequest {
  readonly url: URL;
  readonly method: string;
  /** Flat: name, value, name, value … */
  readonly headers: readonly string[];
  readonly body: Uint8Array | undefined;
  /** Lower-case names of headers that carry a credential. */
  readonly credentialHeaders: readonly string[];
  readonly tls: TlsIdentity | undefined;
  readonly socketPath: string | undefined;
}

const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What the door can undo; asked for unless the request says otherwise. */
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

/** RFC 9110 §10.1.5; some services refuse, or ban, what names no version. */
const USER_AGENT = `toolcrib/${VERSION}`;

/** Validates method and headers (RFC 9110 §5.1, §5.5); throws EgressFailure `request_invalid`, nothing sent. */
export function wireRequest(outgoing: OutgoingRequest, url: URL): WireRequest {
  if (!HTTP_TOKEN.test(outgoing.method) || outgoing.method.toUpperCase() === 'CONNECT') {
    throw invalid(url, `the method ${JSON.stringify(outgoing.method.slice(0, 40))} cannot be sent`);
  }
  const headers: string[] = [];
  const seen = new Set<string>();
  for (const [name, value] of outgoing.headers) {
    const lower = name.toLowerCase();
    if (!HTTP_TOKEN.test(name)) throw invalid(url, `${JSON.stringify(name.slice(0, 80))} is no header name`);
    if (OF_CONNECTION.has(lower)) throw invalid(url, `the header ${name} belongs to the connection`);
    if (!FIELD_VALUE.test(value)) {
      throw invalid(url, `the value of header ${name} has characters outside Latin-1 or control characters`);
    }
    seen.add(lower);
    headers.push(name, value);
  }
  if (!seen.has('accept-encoding')) headers.push('accept-encoding', ACCEPT_ENCODING);
  if (!seen.has('user-agent')) headers.push('user-agent', USER_AGENT);
  const { method, body, credentialHeaders = [], tls, socketPath } = outgoing;
  if (tls !== undefined && url.protocol !== 'https:')
    throw invalid(url, 'its source has `tls`, which needs https');
  if (socketPath !== undefined && url.protocol !== 'http:')
    throw invalid(url, 'its source has `socketPath`, through which only http goes');
  return { url, method, headers, body: bodyOf(body), credentialHeaders, tls, socketPath };
}

function bodyOf(body: string | Uint8Array | undefined): Uint8Array | undefined {
  if (body === undefined || body.length === 0) return undefined;
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  return Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

function invalid(url: URL, reason: string): EgressFailure {
  return new EgressFailure('request_invalid', 'none', `The request to ${url.host} was not sent: ${reason}`);
}
