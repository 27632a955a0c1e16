import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function isSecret(text: string): boolean {
  return SHAPE.test(text);
}

/** What is kept of a secret: SHA-256, hex. */
export function idOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The token against forged requests: whoever has only it, or only what is kept, gets to no session. */
export function csrfOf(secret: string): string {
  return createHmac('sha256', secret).update('toolcrib csrf 1').digest('base64url');
}

/** Proves that the session was opened with this credential; without the session's secret it says nothing about it. */
export function proofOf(secret: string, credential: string): string {
  return createHmac('sha256', secret)
    .update('toolcrib credential 1\0')
    .update(credential)
    .digest('base64url');
}

/** In a time that does not depend on where they differ. */
export function sameText(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
