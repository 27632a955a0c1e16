import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAzureTokens } from '../../../src/credentials/azure/index.ts';
import { openCredential } from '../../../src/credentials/azure/open-credential.ts';
import type { Egress } from '../../../src/egress/index.ts';
import { AUTHORITY, startAuthority, tokenAnswer } from './authority.ts';
import { azureSettings } from './settings.ts';

function crib(egress: Egress, env: Record<string, string>) {
  const prompts: string[] = [];
  const shown = Promise.withResolvers<void>();
  const announced: string[] = [];
  const tokens = createAzureTokens({
    settings: azureSettings({ authentication: 'interactive', authorityHost: AUTHORITY, tenant: 't-1' }),
    egress,
    env,
    announce: (secret) => announced.push(secret),
    now: () => Date.now(),
    prompt: (message) => {
      prompts.push(message);
      shown.resolve();
    },
  });
  const value = async (signal = new AbortController().signal) => (await tokens.token(signal)).value;
  return { tokens, prompts, announced, shown: shown.promise, value };
}

const device = () =>
  Response.json({
    device_code: 'device-code-secret',
    user_code: 'ABCD-1234',
    verification_uri: 'https://microsoft.com/devicelogin',
    expires_in: 900,
    interval: 0,
    message: 'Open the page.',
  });
const PENDING = { error: 'authorization_pending', error_description: 'AADSTS70016: not yet' };
const PROMPT = 'To sign in, open https://microsoft.com/devicelogin and enter the code ABCD-1234.';

describe('authentication interactive without a browser', () => {
  it('shows a code; who cannot wait is told it, and the next call finds the sign-in done', async () => {
    const signedIn = Promise.withResolvers<void>();
    const { egress, forms } = startAuthority(async () => {
      await signedIn.promise;
      return tokenAnswer('person-token');
    }, device);
    const { announced, prompts, shown, value } = crib(egress, { CI: 'true' });
    const caller = new AbortController();
    const first = value(caller.signal);
    await shown;
    caller.abort(new DOMException('The deadline of the call passed.', 'TimeoutError'));
    await expect(first).rejects.toMatchObject({
      code: 'credentials_missing',
      message: `Nobody has signed in to Azure yet. ${PROMPT}`,
    });
    const second = value();
    signedIn.resolve();
    expect(await second).toBe('person-token');
    expect(await value()).toBe('person-token');
    expect(prompts).toEqual([PROMPT]);
    expect(forms[0]!.get('device_code')).toBe('device-code-secret');
    expect(announced).toEqual(['person-token']);
  });

  it('tells a caller who goes away by itself nothing', async () => {
    const { egress } = startAuthority(() => new Promise<Response>(() => undefined), device);
    const { tokens, shown, value } = crib(egress, { CI: 'true' });
    const caller = new AbortController();
    const first = value(caller.signal);
    await shown;
    caller.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    tokens.close();
  });

  it('asks with a new code after the old one came to nothing', async () => {
    let declined = true;
    const { egress } = startAuthority(() => {
      if (!declined) return tokenAnswer('person-token');
      const error_description = 'AADSTS65004: User declined to consent.\r\nTrace: x';
      return Response.json({ error: 'authorization_declined', error_description }, { status: 400 });
    }, device);
    const { prompts, value } = crib(egress, { CI: 'true' });
    await expect(value()).rejects.toMatchObject({
      code: 'credentials_missing',
      message: 'Nobody has signed in to Azure: it was declined.',
    });
    declined = false;
    expect(await value()).toBe('person-token');
    expect(prompts).toHaveLength(2);
  });

  it('renews the token without the person', async () => {
    let count = 0;
    const { egress, forms } = startAuthority(() => tokenAnswer(`token-${++count}`, 60), device);
    const { prompts, value } = crib(egress, { CI: 'true' });
    expect(await value()).toBe('token-1');
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 45_000);
    try {
      expect(await value()).toBe('token-2');
    } finally {
      vi.restoreAllMocks();
    }
    expect(forms.map((form) => form.get('grant_type'))).toEqual(['device_code', 'refresh_token']);
    expect(prompts).toHaveLength(1);
  });

  it('stops asking for the outcome when it is told to', async () => {
    const polled = Promise.withResolvers<void>();
    const { egress } = startAuthority(() => {
      polled.resolve();
      return Response.json(PENDING, { status: 400 });
    }, device);
    const settings = azureSettings({
      authentication: 'interactive',
      authorityHost: AUTHORITY,
      tenant: 't-1',
    });
    const nothing = () => undefined;
    const { credential } = await openCredential({
      settings,
      egress,
      env: { CI: 'true' },
      announce: nothing,
      prompt: nothing,
    });
    const end = new AbortController();
    const asking = credential.getToken(settings.scope, { abortSignal: end.signal });
    await polled.promise;
    end.abort();
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe.skipIf(process.platform !== 'linux')('authentication interactive with a browser', () => {
  let folder = '';
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  /** A browser that writes down what it is told to open; resolves to that address. */
  async function browser() {
    folder = await mkdtemp(join(tmpdir(), 'toolcrib-browser-'));
    const program = join(folder, 'browser');
    const note = join(folder, 'opened');
    execFileSync('/usr/bin/mkfifo', [note]);
    await writeFile(program, `#!/bin/sh\nprintf '%s' "$1" > '${note}'\n`);
    await chmod(program, 0o755);
    vi.stubEnv('BROWSER', program);
    vi.stubEnv('DISPLAY', '');
    // ends when the browser has written
    return async () => new URL(await readFile(note, 'utf8'));
  }

  it('opens the page, and takes what comes back to this machine', async () => {
    const opened = await browser();
    const { egress, forms } = startAuthority(() => tokenAnswer('browser-token'));
    const { prompts, value } = crib(egress, { BROWSER: 'named' });
    const waiting = value();
    const page = await opened();
    expect(page.origin).toBe(AUTHORITY);
    expect(prompts).toEqual(['To sign in, go to the browser window that has opened, and finish there.']);
    const back = page.searchParams.get('redirect_uri')!;
    const body = new URLSearchParams({ code: 'the-code', state: page.searchParams.get('state')! });
    await fetch(back.replace('localhost', '127.0.0.1'), { method: 'POST', body });
    expect(await waiting).toBe('browser-token');
    expect(forms[0]!.get('code')).toBe('the-code');
  });

  it('lets go of its address when the gateway ends', async () => {
    const opened = await browser();
    const { egress } = startAuthority(() => tokenAnswer('browser-token'));
    const { tokens, value } = crib(egress, { BROWSER: 'named' });
    const waiting = value();
    const back = (await opened()).searchParams.get('redirect_uri')!.replace('localhost', '127.0.0.1');
    tokens.close();
    await expect(waiting).rejects.toThrow(/shutting down/);
    await expect(fetch(back)).rejects.toThrow();
  });
});
