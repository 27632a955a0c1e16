import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'tck_';
/** 62^43 > 2^256. */
const SECRET_LENGTH = 43;
/** 62^6 > 2^32. */
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new key: `tck_`, 256 random bits and a checksum of them in base 62. */
export function newApiKey(): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH);
  return `${PREFIX}${secret}${checksum(secret)}`;
}

/** Whether a text can be a key at all: a slip of the pen or a cut one is told before the store is asked. */
export function isApiKey(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const end = PREFIX.length + SECRET_LENGTH;
  return checksum(text.slice(PREFIX.length, end)) === text.slice(end);
}

export function looksLikeApiKey(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** What is stored of a key: 256 random bits need no slow hash. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The first characters, to tell keys apart in a list. */
export function hintOf(key: string): string {
  return key.slice(0, PREFIX.length + 4);
}

function checksum(secret: string): string {
  return base62(BigInt(crc32(secret)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let digit = 0; digit < length; digit++) {
    text = DIGITS[Number(rest % 62n)]! + text;
    rest /= 62n;
  }
  return text;
}
