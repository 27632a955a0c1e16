import { describe, expect, it } from 'vitest';
import { createAzureTokens } from '../../../src/credentials/azure/index.ts';
import { createEgress } from '../../../src/egress/index.ts';
import { jwt } from './jwt.ts';
import { azureSettings } from './settings.ts';

const NOW = 1_700_000_000_000;

function crib(env: Record<string, string | undefined>, scope?: string) {
  const announced: string[] = [];
  const tokens = createAzureTokens({
    settings: azureSettings(scope === undefined ? {} : { scope }),
    egress: createEgress(),
    env,
    announce: (secret) => announced.push(secret),
    now: () => NOW,
  });
  return { tokens, announced, value: async () => (await tokens.token(new AbortController().signal)).value };
}

describe('authentication envvar', () => {
  it('reads the variable at every need, and announces what it reads', async () => {
    const env: Record<string, string | undefined> = { ARM_MCP_AUTH_TOKEN: 'opaque-one' };
    const { announced, value } = crib(env);
    expect(await value()).toBe('opaque-one');
    env['ARM_MCP_AUTH_TOKEN'] = ' Bearer opaque-two\n';
    expect(await value()).toBe('opaque-two');
    expect(announced).toEqual(['opaque-one', 'opaque-two']);
  });

  it.each([undefined, '', ' '])('says what to do where it is %j', async (value) => {
    await expect(
      crib({ ARM_MCP_AUTH_TOKEN: value }, 'https://management.usgovcloudapi.net/.default').value(),
    ).rejects.toMatchObject({
      code: 'credentials_missing',
      message: 'ARM_MCP_AUTH_TOKEN environment variable is not set.',
      next: expect.stringContaining(
        'az account get-access-token --resource https://management.usgovcloudapi.net --query',
      ),
    });
  });

  it('takes a JWT until it expires, and says when that was', async () => {
    const fresh = jwt({ exp: NOW / 1000 + 1, oid: 'o-1' });
    expect(await crib({ ARM_MCP_AUTH_TOKEN: fresh }).value()).toBe(fresh);
    const stale = jwt({ exp: NOW / 1000 });
    const error = await crib({ ARM_MCP_AUTH_TOKEN: stale })
      .value()
      .catch((thrown: Error) => thrown);
    expect(error).toMatchObject({
      code: 'credentials_missing',
      message: 'The token in ARM_MCP_AUTH_TOKEN expired at 2023-11-14T22:13:20.000Z.',
    });
    expect(JSON.stringify(error)).not.toContain(stale);
  });

  it('does not send what is no token, nor repeat it', async () => {
    const error = await crib({ ARM_MCP_AUTH_TOKEN: 'two words' })
      .value()
      .catch((thrown: Error) => thrown);
    expect(error).toMatchObject({
      code: 'credentials_missing',
      message: expect.not.stringContaining('two words'),
    });
  });

  it('has a better token than the refused one once somebody has renewed it', () => {
    const env = { ARM_MCP_AUTH_TOKEN: 'one' };
    const { tokens } = crib(env);
    expect(tokens.refused('one')).toBe(false);
    env.ARM_MCP_AUTH_TOKEN = 'two';
    expect(tokens.refused('one')).toBe(true);
  });

  it('gives nothing to a caller who has gone', async () => {
    const { tokens } = crib({ ARM_MCP_AUTH_TOKEN: 'one' });
    await expect(tokens.token(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});
