import { createHash } from 'node:crypto';
import { sameIssuer } from '../../credentials/issuer-metadata.ts';
import { readTokenFile, tokenFileStamp, writeTokenFile } from '../../credentials/sign-in/token-file.ts';
import { withTokenFileLock } from '../../credentials/sign-in/token-file-lock.ts';
import { isClientGrant, type Remote } from './remote.ts';
import { readRecord, type TokenRecord } from './token-record.ts';

/** Sign-ins in memory, and in the file that a definition names. */
export interface TokenStore {
  /** Changes with everything that the configuration says of the server. */
  keyOf(remote: Remote): string;
  /** From memory, or from the file that was written since: undefined once it is removed, by which a person signs out. */
  load(remote: Remote): Promise<TokenRecord | undefined>;
  /** From the file: undefined where there is none, or it is another server's. */
  inFile(remote: Remote): Promise<TokenRecord | undefined>;
  /** A usable one with another access token than the one refused: a call before, or another process, may have renewed it. */
  newer(remote: Remote, refused: string | undefined): Promise<TokenRecord | undefined>;
  /** The one that was issued last, usable or not: of tokens that rotate, only its refresh token is good. */
  latest(remote: Remote): Promise<TokenRecord | undefined>;
  save(remote: Remote, record: TokenRecord): Promise<TokenRecord>;
  /** Alone among the processes that share the file; at once where there is none. */
  alone<T>(remote: Remote, signal: AbortSignal, run: () => Promise<T>): Promise<T>;
  isFresh(record: TokenRecord): boolean;
}

interface Kept {
  readonly record: TokenRecord;
  /** Of the file that it stands in, or stood in before what could not be written. Undefined: it is in memory alone. */
  readonly stamp: string | undefined;
}

/** Removed while it was read or written: the next look finds it so. */
const GONE = '';

export function createTokenStore(announce: (secret: string) => void, now: () => number): TokenStore {
  const kept = new Map<string, Kept>();
  const fileOf = (remote: Remote) => (isClientGrant(remote) ? undefined : remote.oauth.tokenFile);
  const keys = new WeakMap<Remote, string>();
  const keyOf = (remote: Remote) => {
    let key = keys.get(remote);
    if (key === undefined) {
      key = createHash('sha256').update(JSON.stringify(remote)).digest('base64url');
      keys.set(remote, key);
    }
    return key;
  };
  const isFresh = ({ expiresAt }: TokenRecord) => expiresAt === undefined || expiresAt > now();
  const signOut = (key: string) => {
    if (kept.get(key)?.stamp !== undefined) kept.delete(key);
  };
  const stored = async (remote: Remote): Promise<Kept | undefined> => {
    const file = fileOf(remote);
    if (file === undefined) return undefined;
    // before it is read: what is written meanwhile is seen the next time
    const stamp = (await tokenFileStamp(file)) ?? GONE;
    const record = await readTokenFile(file, readRecord);
    if (record === undefined) signOut(keyOf(remote));
    const { issuer } = remote.oauth;
    const isOurs =
      record?.server === remote.url && (issuer === undefined || sameIssuer(record.issuer, issuer));
    return isOurs ? { record, stamp } : undefined;
  };
  const keep = (remote: Remote, record: TokenRecord, stamp = kept.get(keyOf(remote))?.stamp): TokenRecord => {
    for (const secret of [record.accessToken, record.refreshToken, record.client.secret]) {
      if (secret !== undefined) announce(secret);
    }
    kept.set(keyOf(remote), { record, stamp });
    return record;
  };
  const last = async (remote: Remote): Promise<TokenRecord | undefined> => {
    const found = await stored(remote);
    const known = kept.get(keyOf(remote));
    const isKnownLater = (known?.record.issuedAt ?? 0) > (found?.record.issuedAt ?? 0);
    const record = found === undefined || isKnownLater ? known?.record : found.record;
    return record && keep(remote, record, found?.stamp);
  };
  return {
    keyOf,
    isFresh,
    inFile: async (remote) => (await stored(remote))?.record,
    async load(remote) {
      const known = kept.get(keyOf(remote));
      const isInMemory = known !== undefined && known.stamp === undefined;
      const isCurrent = isInMemory || (known && known.stamp === (await tokenFileStamp(fileOf(remote)!)));
      return isCurrent ? known.record : last(remote);
    },
    async newer(remote, refused) {
      const found = await stored(remote);
      const candidates = [kept.get(keyOf(remote)), found];
      const good = candidates.find((one) => one && one.record.accessToken !== refused && isFresh(one.record));
      return good && keep(remote, good.record, good.stamp);
    },
    latest: last,
    async save(remote, record) {
      keep(remote, record);
      const file = fileOf(remote);
      if (file === undefined) return record;
      // what the configuration knows is not written a second time
      const client = remote.oauth.clientId === undefined ? record.client : { id: record.client.id };
      await writeTokenFile(file, { ...record, client });
      return keep(remote, record, (await tokenFileStamp(file)) ?? GONE);
    },
    alone(remote, signal, run) {
      const file = fileOf(remote);
      return file === undefined ? run() : withTokenFileLock(file, signal, run);
    },
  };
}
