import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';
import { DEFAULT_APPROVALS } from '../../../src/config/settings/approvals.ts';

const parse = async (approvals: unknown) =>
  (await parseConfiguration({ policy: { approvals } }, { baseDirectory: '/x', env: { HOME: '/x' } })).policy
    .approvals;

describe('policy.approvals', () => {
  it('asks for what deletes when it says nothing', async () => {
    const { policy } = await parseConfiguration({}, { baseDirectory: '/x', env: { HOME: '/x' } });
    expect(policy.approvals).toEqual(DEFAULT_APPROVALS);
    expect(DEFAULT_APPROVALS).toMatchObject({ write: 'allow', delete: 'ask', expiresMs: 600_000, waitMs: 0 });
  });

  it('is read with durations and a base for links', async () => {
    const rules = [{ source: 'stock', action: 'ask' }];
    expect(
      await parse({
        write: 'ask',
        rules,
        expires: '30m',
        wait: '20s',
        elicitation: 'url',
        url: 'https://a.test/x/',
      }),
    ).toEqual({
      ...DEFAULT_APPROVALS,
      write: 'ask',
      rules,
      expiresMs: 1_800_000,
      waitMs: 20_000,
      elicitation: 'url',
      url: 'https://a.test/x',
    });
  });

  it('leaves deciding to the roles that are named, unless it says otherwise', async () => {
    expect(await parse({ approvers: ['lead'] })).toMatchObject({ approvers: ['lead'], elicitation: 'off' });
    expect(await parse({ approvers: ['lead'], elicitation: 'form' })).toMatchObject({ elicitation: 'form' });
  });

  it.each([
    [{ write: 'never' }],
    [{ destructive: 'allow' }],
    [{ rules: [{ action: 'ask' }] }],
    [{ rules: [{ source: 'x' }] }],
    [{ rules: [{ access: 'dangerous', action: 'allow' }] }],
    [{ expires: '2d' }],
    [{ expires: 0 }],
    [{ expires: '25h' }],
    [{ wait: '11m' }],
    [{ url: 'ftp://a.test' }],
  ])('refuses %j', async (approvals) => {
    await expect(parse(approvals)).rejects.toMatchObject({ code: 'configuration_invalid' });
  });
});
