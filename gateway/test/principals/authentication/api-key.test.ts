import { describe, expect, it } from 'vitest';
import { hashApiKey, hintOf, isApiKey, newApiKey } from '../../../src/principals/authentication/api-key.ts';

describe('an API key', () => {
  it('is tck_ and 49 letters and digits, never twice the same', () => {
    const keys = new Set(Array.from({ length: 200 }, newApiKey));
    expect(keys.size).toBe(200);
    for (const key of keys) {
      expect(key).toMatch(/^tck_[0-9A-Za-z]{49}$/);
      expect(isApiKey(key)).toBe(true);
    }
  });

  it('shows a slip of the pen before any store is asked', () => {
    const key = newApiKey();
    const swapped = key.slice(0, 10) + (key[10] === 'a' ? 'b' : 'a') + key.slice(11);
    for (const wrong of [swapped, key.slice(0, -1), `${key}x`, key.toLowerCase(), key.slice(4), '', 'tck_']) {
      expect(isApiKey(wrong), wrong).toBe(wrong === key);
    }
  });

  it('is stored as a SHA-256 in hex, with a hint of four characters', () => {
    const key = newApiKey();
    expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashApiKey(key)).toBe(hashApiKey(key));
    expect(hintOf(key)).toBe(key.slice(0, 8));
  });
});
