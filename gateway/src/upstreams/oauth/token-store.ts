import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { sameIssuer } from '../../credentials/issuer-metadata.ts';
import { readTokenFile, writeTokenFile } from '../../credentials/sign-in/token-file.ts';
import { withTokenFileLock } from '../../credentials/sign-in/token-file-lock.ts';
import { isClientGrant, type Remote } from './remote.ts';
import { readRecord, type TokenRecord } from './token-record.ts';

/** Sign-ins in memory, and in the file that a definition names. */
export interface TokenStore {
  /** Changes with everything that the configuration says of the server. */
  keyOf(remote: Remote): string;
  /** From memory, else from the file: undefined once the file is removed, by which a person signs out. */
  load(remote: Remote): Promise<TokenRecord | undefined>;
  /** From the file: undefined where there is none, or it is another server's. */
  inFile(remote: Remote): Promise<TokenRecord | undefined>;
  /** A usable one with another access token than the one refused: a call before, or another process, may have renewed it. */
  newer(remote: Remote, refused: string | undefined): Promise<TokenRecord | undefined>;
  /** The one that was issued last, usable or not: of tokens that rotate, only its refresh token is good. */
  latest(remote: Remote): Promise<TokenRecord | undefined>;
  remember(remote: Remote, record: TokenRecord): TokenRecord;
  save(remote: Remote, record: TokenRecord): Promise<TokenRecord>;
  /** Alone among the processes that share the file; at once where there is none. */
  alone<T>(remote: Remote, signal: AbortSignal, run: () => Promise<T>): Promise<T>;
  isFresh(record: TokenRecord): boolean;
}

export function createTokenStore(announce: (secret: string) => void, now: () => number): TokenStore {
  const kept = new Map<string, TokenRecord>();
  /** Keys of sign-ins that stand in their file. What could not be written is in memory alone. */
  const written = new Set<string>();
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
    if (written.delete(key)) kept.delete(key);
  };
  const inFile = async (remote: Remote): Promise<TokenRecord | undefined> => {
    const file = fileOf(remote);
    if (file === undefined) return undefined;
    const record = await readTokenFile(file, readRecord);
    if (record === undefined) signOut(keyOf(remote));
    const { issuer } = remote.oauth;
    const isOurs =
      record?.server === remote.url && (issuer === undefined || sameIssuer(record.issuer, issuer));
    if (!isOurs) return undefined;
    written.add(keyOf(remote));
    return record;
  };
  const remember = (remote: Remote, record: TokenRecord): TokenRecord => {
    for (const secret of [record.accessToken, record.refreshToken, record.client.secret]) {
      if (secret !== undefined) announce(secret);
    }
    kept.set(keyOf(remote), record);
    return record;
  };
  return {
    keyOf,
    isFresh,
    inFile,
    remember,
    async load(remote) {
      const key = keyOf(remote);
      if (written.has(key) && (await isGone(fileOf(remote)!))) signOut(key);
      const record = kept.get(key);
      if (record !== undefined) return record;
      const stored = await inFile(remote);
      return stored === undefined ? undefined : remember(remote, stored);
    },
    async newer(remote, refused) {
      const stored = await inFile(remote);
      const candidates = [kept.get(keyOf(remote)), stored];
      const found = candidates.find((record) => record && record.accessToken !== refused && isFresh(record));
      return found === undefined ? undefined : remember(remote, found);
    },
    async latest(remote) {
      const stored = await inFile(remote);
      const known = kept.get(keyOf(remote));
      const isKnownLater = stored === undefined || (known?.issuedAt ?? 0) > (stored.issuedAt ?? 0);
      const record = isKnownLater ? known : stored;
      return record && remember(remote, record);
    },
    async save(remote, record) {
      remember(remote, record);
      const file = fileOf(remote);
      if (file === undefined) return record;
      // what the configuration knows is not written a second time
      const client = remote.oauth.clientId === undefined ? record.client : { id: record.client.id };
      await writeTokenFile(file, { ...record, client });
      written.add(keyOf(remote));
      return record;
    },
    alone(remote, signal, run) {
      const file = fileOf(remote);
      return file === undefined ? run() : withTokenFileLock(file, signal, run);
    },
  };
}

async function isGone(file: string): Promise<boolean> {
  return stat(file).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
  );
}
