import type { OutgoingRequest } from '../egress/egress.ts';
import type { Connection, SecurityAlternative } from '../operations/index.ts';

/**
 * Puts the connection's credential on a request. The first alternative whose schemes are all configured
 * wins; none configured is `credentials_missing`. Never logs or keeps a secret longer than the request.
 */
export interface CredentialProvider {
  authorize(
    request: OutgoingRequest,
    connection: Connection,
    security: readonly SecurityAlternative[],
    signal: AbortSignal,
  ): Promise<OutgoingRequest>;
  /** The service answered 401: forget cached tokens of this connection. True when a retry may help. */
  refused(connection: Connection): boolean;
}
