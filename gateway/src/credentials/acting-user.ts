import { ToolcribError } from '../errors.ts';
import type { Connection } from '../operations/index.ts';

/**
 * Where the token says who acts, a ready token acts as whoever it was issued to. That is right for an account of
 * the user's own and for the operator's; an organisation's shared account, or a token that belongs to a client and
 * no user, would let everybody act as one. Throws `acting_user_missing`.
 */
export function assertOwnToken(
  connection: Connection,
  place: string,
  subject: 'user' | 'client' = 'user',
): void {
  const { account, accountOwner, actingUser, actingUserPlace } = connection;
  if (actingUserPlace?.in !== 'token' || actingUser === undefined) return;
  if (subject === 'user' && (account === undefined || accountOwner === 'user')) return;
  throw new ToolcribError(
    'acting_user_missing',
    `The credential of connection ${connection.name} (${place}) cannot act for user ${actingUser}: the token itself says who acts. Use oauth2 with a client id and secret, or let the user connect an account of their own.`,
  );
}
