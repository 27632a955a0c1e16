import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAzureTokens } from '../../../src/credentials/azure/index.ts';
import { createEgress } from '../../../src/egress/index.ts';
import type { AzureSettings } from '../../../src/operations/index.ts';
import { azureSettings } from './settings.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-az-'));
  vi.stubEnv('PATH', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** The Azure CLI of this test: shell built-ins alone, since nothing else is in PATH. */
async function az(script: string): Promise<void> {
  const file = join(folder, 'az');
  await writeFile(file, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${folder}/calls'\n${script}\n`);
  await chmod(file, 0o755);
}

const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');
const printed = (token: string, seconds: number) =>
  `printf '%s' '${JSON.stringify({ accessToken: token, expires_on: seconds, tokenType: 'Bearer' })}'`;
const IN_AN_HOUR = Math.floor(Date.now() / 1000) + 3600;

function crib(settings: Partial<AzureSettings> = {}) {
  const announced: string[] = [];
  const tokens = createAzureTokens({
    settings: azureSettings({ authentication: 'azcli', ...settings }),
    egress: createEgress(),
    env: {},
    announce: (secret) => announced.push(secret),
    now: Date.now,
  });
  return {
    announced,
    value: async (signal = new AbortController().signal) => (await tokens.token(signal)).value,
  };
}

describe.skipIf(process.platform === 'win32')('authentication azcli', () => {
  it('takes the token that `az` prints, once for all calls', async () => {
    await az(printed('cli-token', IN_AN_HOUR));
    const { announced, value } = crib({ tenant: 'contoso.example' });
    expect(await Promise.all([value(), value()])).toEqual(['cli-token', 'cli-token']);
    expect(await value()).toBe('cli-token');
    expect(await calls()).toEqual([
      'account get-access-token --output json --resource https://management.azure.com --tenant contoso.example',
    ]);
    expect(announced).toEqual(['cli-token']);
  });

  it('says so when it is not signed in', async () => {
    await az(`echo "ERROR: Please run 'az login' to setup account." >&2; exit 1`);
    await expect(crib({ tenant: 't-1' }).value()).rejects.toMatchObject({
      code: 'credentials_missing',
      message: 'The Azure CLI is not signed in.',
      next: expect.stringContaining('`az login --tenant t-1`'),
    });
  });

  it('repeats what `az` says of a session that has ended', async () => {
    await az(
      `echo "ERROR: AADSTS700082: The refresh token has expired. Run: az login --scope x" >&2; exit 1`,
    );
    await expect(crib().value()).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('AADSTS700082'),
    });
  });

  it('says so when there is none', async () => {
    await expect(crib().value()).rejects.toMatchObject({
      code: 'credentials_missing',
      message: 'The Azure CLI (az) is not found in PATH.',
      next: expect.stringContaining('https://aka.ms/azure-cli'),
    });
  });

  it('does not repeat an answer that it cannot read: it may be a token', async () => {
    await az(`printf '%s' 'eyJsecret'`);
    const error = await crib()
      .value()
      .catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: 'credentials_missing' });
    expect((error as Error).message).not.toContain('eyJ');
  });

  it('lets a call go that cannot wait; the token of a slow `az` is there for the next', async () => {
    const gate = join(folder, 'gate');
    execFileSync('/usr/bin/mkfifo', [gate]);
    await az(`read word < '${gate}'\n${printed('slow-token', IN_AN_HOUR)}`);
    const { value } = crib();
    const caller = new AbortController();
    const first = value(caller.signal);
    // resolves as soon as `az` reads from the other end
    const writer = await open(gate, 'w');
    caller.abort(new DOMException('too late', 'TimeoutError'));
    await expect(first).rejects.toThrow('too late');
    const second = value();
    await writer.write('go\n');
    await writer.close();
    expect(await second).toBe('slow-token');
    expect(await calls()).toHaveLength(1);
  });
});
