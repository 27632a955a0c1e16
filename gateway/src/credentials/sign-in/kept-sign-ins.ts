import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import { untilAborted } from '../../operations/work/until-aborted.ts';
import { isInvalidGrant, isRefusedRenewal, requestToken, type TokenClient } from '../token-endpoint.ts';
import { readSignIn, type SignInRecord, withGrant } from './sign-in-record.ts';
import { readTokenFile, tokenFileStamp, writeTokenFile } from './token-file.ts';
import { withTokenFileLock } from './token-file-lock.ts';

/** Whose sign-in is used, and how it is renewed. */
export interface KeptNeed {
  readonly source: string;
  /** Absolute path. */
  readonly file: string;
  /** The client as it stands in the configuration, and where the document has tokens issued. */
  readonly client: TokenClient;
  /** Where they are renewed. */
  readonly refreshUrl: string;
}

export interface KeptToken {
  readonly token: string;
  /** The service refused it: it is renewed before the next use. True when that may help. */
  readonly refused: () => boolean;
}

export interface KeptSignIns {
  /**
   * The access token of the sign-in that is kept in a file, renewed in time. Throws `authorization_required` where only
   * a person can help, `configuration_invalid` for a file that cannot be trusted.
   */
  accessToken(need: KeptNeed, signal: AbortSignal): Promise<KeptToken>;
  /** Throws the same where it is known without asking the provider. */
  ready(source: string, file: string): Promise<void>;
}

export interface KeptOptions {
  readonly egress: Egress;
  readonly announce: (secret: string) => void;
  readonly now: () => number;
}

interface Kept {
  /** Of the file: another one says that somebody wrote it. */
  readonly stamp: string;
  readonly record: SignInRecord;
}

/** Not used in its last minute, nor in the last half of a shorter life. */
const SKEW_MS = 60_000;
const RENEWAL_MS = 30_000;
const NOBODY = 'Nobody has signed in to';
const OVER = 'There is no longer a usable sign-in to';

export function createKeptSignIns({ egress, announce, now }: KeptOptions): KeptSignIns {
  const kept = new Map<string, Kept>();
  const running = new Map<string, Promise<SignInRecord>>();
  /** Access tokens that a service refused, by file. */
  const refused = new Map<string, string>();
  /** Refresh tokens that the provider no longer takes. */
  const dead = new Set<string>();

  const load = async (need: KeptNeed): Promise<SignInRecord> => {
    const { source, client } = need;
    const { record } = (await entryOf(need)) ?? {};
    if (record === undefined) throw signInNeeded(source, NOBODY);
    // a refresh token goes where it came from, as the client that it was issued to
    if (record.tokenUrl !== client.tokenUrl || record.clientId !== client.clientId)
      throw signInNeeded(source, 'The sign-in that is kept is of another provider or client than that of');
    return record;
  };

  /** From memory, unless somebody has written the file since. */
  const entryOf = async ({ file }: Pick<KeptNeed, 'file'>): Promise<Kept | undefined> => {
    const stamp = await tokenFileStamp(file);
    const known = kept.get(file);
    if (known !== undefined && known.stamp === stamp) return known;
    kept.delete(file);
    const record = await readTokenFile(file, readSignIn);
    return record && remember(file, stamp ?? '', record);
  };

  const remember = (file: string, stamp: string, record: SignInRecord): Kept => {
    announce(record.accessToken);
    if (record.refreshToken !== undefined) announce(record.refreshToken);
    const entry = { stamp, record };
    kept.set(file, entry);
    return entry;
  };

  const isGood = ({ accessToken, expiresAt = Number.POSITIVE_INFINITY }: SignInRecord, file: string) =>
    expiresAt > now() && refused.get(file) !== accessToken;
  const isUsable = (record: SignInRecord, file: string): boolean => {
    const { expiresAt, issuedAt } = record;
    const isDue =
      expiresAt !== undefined && expiresAt - now() < Math.min(SKEW_MS, (expiresAt - issuedAt) / 2);
    return isGood(record, file) && !isDue;
  };

  const renew = async (need: KeptNeed, signal: AbortSignal): Promise<SignInRecord> => {
    const { file, source, client, refreshUrl } = need;
    // another process may have renewed it meanwhile
    const record = await load(need);
    if (isUsable(record, file)) return record;
    const { refreshToken } = record;
    if (refreshToken === undefined || dead.has(refreshToken)) throw signInNeeded(source, OVER);
    try {
      const issuedAt = now();
      const request = { ...client, tokenUrl: refreshUrl, refreshToken, scopes: [] };
      const next = withGrant(record, await requestToken(egress, request, signal), issuedAt);
      // the old refresh token may be used up: what replaces it is not lost with the disk
      remember(file, kept.get(file)!.stamp, next);
      await writeTokenFile(file, next);
      remember(file, (await tokenFileStamp(file)) ?? '', next);
      return next;
    } catch (error) {
      if (isInvalidGrant(error)) {
        dead.add(refreshToken);
        throw signInNeeded(source, 'The provider has ended the sign-in to', error);
      }
      throw isRefusedRenewal(error) ? notRenewed(source, error) : error;
    }
  };

  /** One at a time, and to its end even when nobody waits any more: a token that rotates must not be lost. */
  const renewed = (need: KeptNeed, signal: AbortSignal): Promise<SignInRecord> => {
    const { file } = need;
    let renewal = running.get(file);
    if (renewal === undefined) {
      const own = AbortSignal.timeout(RENEWAL_MS);
      renewal = withTokenFileLock(file, own, () => renew(need, own))
        .catch((error) => {
          throw own.aborted ? late(need.source, error) : error;
        })
        .finally(() => running.delete(file));
      running.set(file, renewal);
    }
    return untilAborted(renewal, signal);
  };

  return {
    async ready(source, file) {
      const { record } = (await entryOf({ file })) ?? {};
      if (record === undefined) throw signInNeeded(source, NOBODY);
      const { refreshToken } = record;
      if (!isGood(record, file) && (refreshToken === undefined || dead.has(refreshToken)))
        throw signInNeeded(source, OVER);
    },
    async accessToken(need, signal) {
      const { file } = need;
      let record = await load(need);
      if (!isUsable(record, file)) {
        const last = record;
        record = await renewed(need, signal).catch((error) => {
          // until its very end it is good, whether it can be renewed or not
          if (isGood(last, file) && !signal.aborted) return last;
          throw error;
        });
      }
      const { accessToken, refreshToken } = record;
      return {
        token: accessToken,
        refused() {
          refused.set(file, accessToken);
          return refreshToken !== undefined && !dead.has(refreshToken);
        },
      };
    },
  };
}

function late(source: string, cause: unknown): ToolcribError {
  const message = `The sign-in to source "${source}" was not renewed within ${RENEWAL_MS / 1000} s.`;
  return new ToolcribError('upstream_unreachable', message, { cause });
}

/** Not certain to be the end of it: the provider is asked again next time. */
function notRenewed(source: string, cause: ToolcribError): ToolcribError {
  const message = `The sign-in to source "${source}" cannot be renewed. ${cause.message}`;
  return new ToolcribError('authorization_required', message, { next: signInAgain(source), cause });
}

function signInNeeded(source: string, what: string, cause?: unknown): ToolcribError {
  return new ToolcribError('authorization_required', `${what} source "${source}".`, {
    next: signInAgain(source),
    cause,
  });
}

function signInAgain(source: string): string {
  return `Sign in: \`toolcrib login ${source}\`.`;
}
