import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createApproverToken } from '../../src/approvals/approver-token.ts';
import { readLink, signLink } from '../../src/approvals/links.ts';

const key = randomBytes(32);
const claim = { approval: randomBytes(16).toString('hex'), expiresAt: 1_800_000_000_000 };
const token = signLink(claim, key);

describe('links', () => {
  it('come back as what was signed', () => {
    expect(token).toMatch(/^[\w-]{72}$/);
    expect(readLink(token, key, claim.expiresAt - 1)).toEqual(claim);
  });

  it('are good until their time is over', () => {
    expect(readLink(token, key, claim.expiresAt)).toBeUndefined();
  });

  it('are good for their key only, and not when a character differs', () => {
    expect(readLink(token, randomBytes(32), 0)).toBeUndefined();
    for (let at = 0; at < token.length; at += 5) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(readLink(`${token.slice(0, at)}${other}${token.slice(at + 1)}`, key, 0)).toBeUndefined();
    }
  });

  it.each(['', 'x', `${token}A`, token.slice(1), '../../etc/passwd', 'é'.repeat(72)])(
    'are not %j',
    (text) => {
      expect(readLink(text, key, 0)).toBeUndefined();
    },
  );
});

describe('the approver token', () => {
  it('is made once, for its owner only, and known from then on', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'toolcrib-approver-'));
    try {
      const state = join(folder, 'state');
      const [one, two] = [createApproverToken(state), createApproverToken(state)];
      expect(await one.isToken('tca_')).toBe(false);
      const [first, second] = await Promise.all([one.value(), two.value()]);
      expect(first).toBe(second);
      expect(first).toMatch(/^tca_[\w-]{43}$/);
      expect(await two.isToken(first)).toBe(true);
      expect(await two.isToken(`${first}x`)).toBe(false);
      if (process.platform !== 'win32') {
        expect((await stat(join(state, 'approver-token'))).mode & 0o777).toBe(0o600);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each(['', 'tca_', 'tca_short'])('is not what somebody wrote in its place: %j', async (text) => {
    const folder = await mkdtemp(join(tmpdir(), 'toolcrib-approver-'));
    try {
      await writeFile(join(folder, 'approver-token'), text);
      const token = createApproverToken(folder);
      expect(await token.isToken(text)).toBe(false);
      await expect(token.value()).rejects.toMatchObject({ code: 'store_unavailable' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
