import type { EgressResponse, OutgoingRequest } from '../egress/egress.ts';
import type { Connection, SecurityAlternative } from '../operations/index.ts';

/**
 * Puts the connection's credential on a request. The first alternative whose schemes are all configured
 * wins; none configured is `credentials_missing`. Never logs or keeps a secret longer than the request.
 */
export interface CredentialProvider {
  /** `deadline` in milliseconds since the epoch: how long a busy token service may be waited for. */
  authorize(
    request: OutgoingRequest,
    connection: Connection,
    security: readonly SecurityAlternative[],
    signal: AbortSignal,
    deadline?: number,
  ): Promise<OutgoingRequest>;
  /**
   * The request as `authorize` would make it, for people to see: nobody is asked for a token, something else stands in
   * its place. Throws what `authorize` would throw for what is not there: a variable, a file, a connection, a person's
   * sign-in. `authorize` may throw all the same.
   */
  plan(
    request: OutgoingRequest,
    connection: Connection,
    security: readonly SecurityAlternative[],
    signal: AbortSignal,
  ): Promise<OutgoingRequest>;
  /**
   * The service answered 401: forget the tokens that this request carried, or without one all of the connection.
   * True when a retry may help.
   */
  refused(connection: Connection, request?: OutgoingRequest): boolean;
  /** The service says by this answer what others say by a 401, as the login has it that gave this request its token. */
  saysEnded?(answer: EgressResponse, request: OutgoingRequest): boolean;
  /** The answer without the credential that this authorised request carried, however the service wrote it. */
  concealAnswer?(answer: EgressResponse, request: OutgoingRequest, connection: Connection): EgressResponse;
  /** The same for what was thrown on the way. */
  concealError?(error: unknown, request: OutgoingRequest, connection: Connection): unknown;
}
