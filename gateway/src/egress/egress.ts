import type { SecureContext } from 'node:tls';
import type { ProxySettings } from '../operations/index.ts';
import type { TlsFault } from './tls-fault.ts';

/** A request ready for the wire. Header names keep their case; values are already encoded. */
export interface OutgoingRequest {
  readonly method: string;
  /** Absolute http or https URL, no user information, no fragment. */
  readonly url: string;
  /** Of the server behind it, whatever the arguments are: what its token endpoint may be relative to. */
  readonly base?: string;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  /** Text is sent as UTF-8. */
  readonly body?: string | Uint8Array;
  /** Names (lower case) of headers that carry a credential: dropped with all custom headers when a redirect changes the origin. */
  readonly credentialHeaders?: readonly string[];
  /** Of TLS with the origin of `url`; stays with it when a redirect leads elsewhere. Refused over http. */
  readonly tls?: TlsIdentity;
  /**
   * The operator's Unix domain socket or named pipe, in place of a connection to the host of `url`: nothing is looked
   * up, no proxy plays a part. Stays with the origin, as `tls` does. Refused over https.
   */
  readonly socketPath?: string;
  /**
   * Origins that the configuration names for the source whose request this is: private addresses that it names for
   * others are refused. Absent: it is nobody's in particular.
   */
  readonly named?: readonly string[];
  /** `manual`: a redirect is an answer like any other, for callers who look at each target themselves. Default: `follow`. */
  readonly redirect?: 'follow' | 'manual';
  /** The answer has its cookies, which are left out otherwise. */
  readonly cookies?: 'keep';
  /** Handed to an in-process destination (`EgressOptions.local`); never leaves the process. */
  readonly context?: unknown;
}

/** A client certificate, authorities to trust, or both. */
export interface TlsIdentity {
  /** Equal for equal contents: connections are shared by those who show the same. */
  readonly id: string;
  readonly context: SecureContext;
}

export interface EgressLimits {
  /** DNS, connect, headers, redirects and body together, milliseconds. */
  readonly timeoutMs: number;
  /** Decoded bytes of the answer. */
  readonly maxBytes: number;
  readonly maxRedirects: number;
}

/** Limits of a streamed answer; 0 milliseconds: none but the signal. */
export interface FetchLimits {
  /** From the call to the head of the answer, for each redirect anew. Default 60,000. */
  readonly headersTimeoutMs: number;
  /** Between two pieces of the body. Default 60,000. */
  readonly idleTimeoutMs: number;
  /** Default 3. */
  readonly maxRedirects: number;
  /** Decoded bytes of the body; absent: any number. */
  readonly maxBytes?: number;
}

/** As in a request. */
export type FetchTerms = Pick<OutgoingRequest, 'tls' | 'named'>;

/** A request with another method, as it was answered by a redirect after which it is a GET. */
export interface BecameGet {
  readonly method: string;
  readonly url: string;
  readonly status: number;
}

export interface EgressResponse {
  readonly status: number;
  /** Lower-case names; repeated headers joined with `, `, `set-cookie` left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded (gzip, deflate, br, zstd undone). */
  readonly body: Uint8Array;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** A redirect answered the request before, which may have been carried out (RFC 9110 §15.4.4), whatever is said here. */
  readonly afterRedirect?: true;
  /** Which request a redirect made a GET of. */
  readonly becameGet?: BecameGet;
  /** As `set-cookie` says them (RFC 6265 §4.1), for a request that keeps them. */
  readonly cookies?: readonly string[];
}

/** How far a failed request got: `none` = no byte left, so a repeat is always safe. */
export type Sent = 'none' | 'some' | 'all';

export type FailureKind =
  | 'connect_refused'
  | 'connect_timeout'
  /** The operator's proxy is not there. */
  | 'proxy_unreachable'
  /** It is, and opens no way there. */
  | 'proxy_refused'
  | 'reset'
  | 'timeout'
  | 'dns'
  | 'tls_cert'
  | 'body_truncated'
  | 'too_large'
  | 'malformed'
  | 'redirect'
  | 'request_invalid'
  | 'egress_blocked'
  | 'cancelled';

/** Kinds that mean: there never was a connection. */
export const NO_CONNECTION: ReadonlySet<FailureKind> = new Set([
  'connect_refused',
  'connect_timeout',
  'proxy_unreachable',
  'dns',
]);

/** A request that brought no usable answer. */
export class EgressFailure extends Error {
  readonly kind: FailureKind;
  readonly sent: Sent;
  /** Status, when the head of the answer had arrived. */
  readonly status: number | undefined;
  /** Of `tls_cert`: why. */
  readonly tls: TlsFault | undefined;
  /** No log shows what a service wrote. */
  readonly #received: EgressResponse | undefined;

  constructor(
    kind: FailureKind,
    sent: Sent,
    message: string,
    options: { status?: number; cause?: unknown; received?: EgressResponse; tls?: TlsFault } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'EgressFailure';
    this.kind = kind;
    this.sent = sent;
    this.status = options.status;
    this.tls = options.tls;
    this.#received = options.received;
  }

  /** Of a `timeout`: what had come of a successful answer that says no length, as streams do. */
  get received(): EgressResponse | undefined {
    return this.#received;
  }
}

/** The one door through which bytes leave this process. */
export interface Egress {
  /** Resolves for every HTTP status; rejects with EgressFailure when there is no whole answer. */
  request(request: OutgoingRequest, limits: EgressLimits, signal: AbortSignal): Promise<EgressResponse>;
  /**
   * `fetch` of the web standard, for answers that are read as they arrive: same guard, redirects by hand, no
   * cookies. Rejects, and errors the body, with EgressFailure; the signal of `init` ends both.
   */
  fetch(
    input: string | URL,
    init?: RequestInit,
    limits?: Partial<FetchLimits>,
    terms?: FetchTerms,
  ): Promise<Response>;
  close(): Promise<void>;
}

export interface EgressOptions {
  /**
   * Private or loopback destinations that the operator named: `host`, `host:port` or an origin.
   * Public destinations need no entry.
   */
  readonly allow?: readonly string[];
  /** Those of them that a document or a redirect of another source may lead to; absent: all. */
  readonly redirects?: readonly string[];
  /** Through which destinations with public addresses are reached; absent: directly. Variables such as HTTPS_PROXY play no part. */
  readonly proxy?: ProxySettings;
  /** DNS, replaceable for tests; every answer is checked and the connection goes to a checked address. */
  readonly resolve?: Resolve;
  /** Destinations inside this process, by origin: no network, but the same limits. No redirect from outside reaches them. */
  readonly local?: Readonly<Record<string, LocalDestination>>;
}

/** All addresses of a host name; rejects when there are none. */
export type Resolve = (host: string) => Promise<ReadonlyArray<{ address: string; family: number }>>;

/** The request's signal ends with the caller or the deadline. */
export type LocalDestination = (request: Request, outgoing: OutgoingRequest) => Promise<Response>;
