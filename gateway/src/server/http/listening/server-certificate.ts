import type { Server } from 'node:https';
import type { SecureContextOptions } from 'node:tls';

/** What a server shows to its clients. */
export interface ServerCertificate {
  /** Equal for equal contents. */
  readonly id: string;
  /** PEM. */
  readonly options: Pick<SecureContextOptions, 'cert' | 'key' | 'passphrase'>;
}

/** As it is now. Throws `credentials_missing`, `configuration_invalid`. */
export type ReadCertificate = () => Promise<ServerCertificate>;

export interface FollowOptions {
  readonly shown: ServerCertificate;
  readonly read: ReadCertificate;
  readonly onError?: ((error: Error) => void) | undefined;
  /** Milliseconds between two looks. */
  readonly everyMs?: number;
}

const LOOK_MS = 60_000;

/**
 * Looks once a minute whether the certificate was exchanged, as services do that renew it: new connections are shown the
 * new one. While it cannot be used the old one stays, which is told once. The returned function ends it.
 */
export function followCertificate(
  server: Pick<Server, 'setSecureContext'>,
  { shown, read, onError = () => {}, everyMs = LOOK_MS }: FollowOptions,
): () => void {
  let { id } = shown;
  let told: string | undefined;
  let ended = false;
  const look = async () => {
    try {
      const now = await read();
      if (ended) return;
      if (now.id !== id) server.setSecureContext(now.options);
      id = now.id;
      told = undefined;
    } catch (thrown) {
      const error = thrown as Error;
      if (!ended && told !== error.message) onError(error);
      told = error.message;
    }
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  return () => {
    ended = true;
    clearInterval(timer);
  };
}
