import { createHash } from 'node:crypto';
import type { Connection } from '../operations/index.ts';

/** Under which a token is kept: equal for equal parts, of one connection. Secrets take part as a hash only. */
export function tokenKey(connection: Connection, scheme: string, ...parts: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return `${prefixOf(connection)}${JSON.stringify(scheme)} ${hash}`;
}

/** Fits every key of the connection. */
export function tokenKeysOf(connection: Connection): (key: string) => boolean {
  const prefix = prefixOf(connection);
  return (key) => key.startsWith(prefix);
}

function prefixOf({ name }: Connection): string {
  return `${JSON.stringify(name)} `;
}
