import { rm } from 'node:fs/promises';
import type { Egress } from '../../egress/egress.ts';
import { asToolcribError, ToolcribError } from '../../errors.ts';
import { type Revocation, revokeTokens } from './revoke-tokens.ts';
import { readTokenFile } from './token-file.ts';
import { withTokenFileLock } from './token-file-lock.ts';

/** What came of signing out. */
export interface SignOut {
  /** False: nobody was signed in. */
  readonly signedOut: boolean;
  /** The provider has ended the tokens. */
  readonly revoked: boolean;
}

export interface SignOutTerms {
  /** Removes what is kept here, and asks nobody. */
  readonly local: boolean;
  readonly signal: AbortSignal;
}

interface KeptSignIn<T> extends SignOutTerms {
  /** For errors. */
  readonly source: string;
  readonly file: string;
  readonly read: (value: unknown) => T | undefined;
  /** Where the tokens are ended, and by whom; undefined where nobody says where. */
  readonly revocation: (record: T) => Promise<Revocation | undefined>;
  readonly egress: Egress;
}

/**
 * Ends a sign-in: its tokens at the provider, then the file. Alone among the processes that share it, so that none is
 * renewed meanwhile. Where the provider does not confirm it, nothing is removed.
 */
export async function signOut<T>(kept: KeptSignIn<T>): Promise<SignOut> {
  const { source, file, read, revocation, egress, local, signal } = kept;
  return withTokenFileLock(file, signal, async () => {
    const record = await readTokenFile(file, read);
    if (record === undefined) return { signedOut: false, revoked: false };
    let revoked = false;
    try {
      const asked = local ? undefined : await revocation(record);
      if (asked !== undefined) await revokeTokens(egress, asked, signal);
      revoked = asked !== undefined;
    } catch (error) {
      throw stillSignedIn(source, signal.aborted ? noAnswer(source, error) : asToolcribError(error));
    }
    await rm(file, { force: true });
    return { signedOut: true, revoked };
  });
}

function noAnswer(source: string, cause: unknown): ToolcribError {
  const message = `The sign-in to source "${source}" was not ended in time.`;
  return new ToolcribError('upstream_unreachable', message, { cause });
}

function stillSignedIn(source: string, cause: ToolcribError): ToolcribError {
  const { code, message, status } = cause;
  return new ToolcribError(code, message, {
    ...(status === undefined ? {} : { status }),
    next: `Nothing was removed: the tokens may still be good. Try again, or remove them from here alone: \`toolcrib logout ${source} --local\`.`,
    cause,
  });
}
