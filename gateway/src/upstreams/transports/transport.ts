import type { Transport } from '@modelcontextprotocol/client';
import type { Json } from '../../operations/index.ts';
import type { UpstreamDefinition, UpstreamTransport } from '../upstreams.ts';

/** Why a transport ended, when it did not end because it was closed. */
export interface TransportFault {
  /**
   * `exit`: the process or connection is gone; `malformed`: what arrived is not MCP; `session_lost`: the HTTP
   * server does not know the session (404), so that nothing was carried out.
   */
  readonly kind: 'exit' | 'malformed' | 'session_lost';
  /** One sentence for people; holds no secret. */
  readonly message: string;
}

/** A way to one upstream server, made but not started: the session's client starts it. */
export interface OpenedTransport {
  /**
   * An SDK transport. Its `send` rejects when the message was not handed over completely; a request that provably
   * never left is rejected with an error that `isUnsent` knows. `onclose` is called once, for whatever reason. Where
   * a request has a stream of its own, `onRequestStreamEnd` of its send options is called when the stream ended for
   * good; messages of that stream arrive in the asynchronous context of the `send` that opened it.
   */
  readonly transport: Transport;
  /** Throws `authorization_required` or `credentials_missing` where that is known without the server being asked. */
  ready?(signal: AbortSignal): Promise<void>;
  /** Process id, once it was started. */
  pid?(): number | undefined;
  /**
   * Ends the process group, or drops the connection, and settles within two seconds; never throws. Absent:
   * `transport.close` does it.
   */
  kill?(): Promise<void>;
  /** Kills the process group synchronously: for the exit of our own process. */
  killNow?(): void;
  /** What the server says without the secrets that it was given. */
  conceal?<T extends Json>(said: T): T;
  /** The last lines of stderr, bounded and redacted. */
  stderrTail?(): string;
  /** Lines on stdout that were passed over, since they are no messages; the last one redacted. */
  readonly strayLines?: { readonly count: number; readonly last: string };
  /** Set from the moment on at which the other side ended it or sent what cannot be used. */
  fault?(): TransportFault | undefined;
}

/**
 * Makes the transport of a definition for one principal (`''` where all share it). Throws `upstream_unavailable`,
 * `isolation_unavailable`, `authorization_required` or `credentials_missing`; what happens later is told by
 * `transport.onclose` and `fault`.
 */
export type OpenTransport = (
  definition: UpstreamDefinition,
  principalKey: string,
  signal: AbortSignal,
) => Promise<OpenedTransport>;

/** What is reached over the network. */
export type RemoteTransport = Extract<UpstreamTransport, { kind: 'http' | 'sse' }>;
