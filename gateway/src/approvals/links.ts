import { createHmac, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 16;
const TIME_BYTES = 6;
/** The bytes of the claim and of its MAC, 54 together. */
const SHAPE = /^[A-Za-z0-9_-]{72}$/;

/** What a link says: the approval that it decides, and until when. */
export interface LinkClaim {
  readonly approval: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The secret part of a link: approval id and expiry with an HMAC-SHA-256 over them (RFC 2104), in base64url. */
export function signLink({ approval, expiresAt }: LinkClaim, key: Uint8Array): string {
  const claim = Buffer.alloc(ID_BYTES + TIME_BYTES);
  claim.write(approval, 'hex');
  claim.writeUIntBE(expiresAt, ID_BYTES, TIME_BYTES);
  return Buffer.concat([claim, mac(claim, key)]).toString('base64url');
}

/** Undefined for what was not signed with this key, or whose time is over. */
export function readLink(token: string, key: Uint8Array, now: number): LinkClaim | undefined {
  if (!SHAPE.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const claim = bytes.subarray(0, ID_BYTES + TIME_BYTES);
  if (!timingSafeEqual(mac(claim, key), bytes.subarray(ID_BYTES + TIME_BYTES))) return undefined;
  const expiresAt = claim.readUIntBE(ID_BYTES, TIME_BYTES);
  return expiresAt > now ? { approval: claim.toString('hex', 0, ID_BYTES), expiresAt } : undefined;
}

function mac(claim: Uint8Array, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update('toolcrib approval link 1\0').update(claim).digest();
}
