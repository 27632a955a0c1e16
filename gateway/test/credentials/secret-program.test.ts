import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSecretReader } from '../../src/credentials/secret-reference.ts';

const { signal } = new AbortController();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-secret-program-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let scripts = 0;
/** A program of its own that counts how often it runs: `$runs` in its text is the number. */
async function program(
  text: string,
): Promise<{ command: string[]; folder: string; runs(): Promise<number> }> {
  const name = `program-${++scripts}`;
  const file = join(folder, name);
  const count = `${file}.runs`;
  await writeFile(
    file,
    `#!/bin/sh\necho run >> '${count}'\nruns=$(wc -l < '${count}' | tr -d ' ')\n${text}\n`,
  );
  await chmod(file, 0o755);
  return {
    command: [file],
    folder,
    runs: async () => (await readFile(count, 'utf8').catch(() => '')).split('\n').length - 1,
  };
}

const jwt = (exp: number) => `e30.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.c2ln`;
const reader = (env: Record<string, string | undefined> = { PATH: process.env['PATH'] }) => {
  const announced: string[] = [];
  return { ...createSecretReader(env, (secret) => announced.push(secret)), announced };
};

describe.skipIf(process.platform === 'win32')('a program that prints a secret', () => {
  it('is run without a shell, in its folder, with the environment of the gateway', async () => {
    const { read, announced } = reader({ PATH: process.env['PATH'], VAULT: 'home' });
    const { command } = await program('echo "$VAULT|$1|$(pwd -P)|$(readlink /proc/self/fd/0 || echo none)"');
    const said = await read({ command: [...command, 'a $HOME;b'], folder: '/' }, 'a.bearer', signal);
    expect(said).toMatch(/^home\|a \$HOME;b\|\/\|(?:\/dev\/null|none)$/);
    expect(announced).toEqual([said]);
  });

  it('is asked once for all that wait, and again after five minutes', async () => {
    const { read } = reader();
    const { command, runs } = await program('sleep 0.2; echo "token-$runs"');
    const ask = () => read({ command, folder }, 'a.bearer', signal);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['token-1', 'token-1', 'token-1']);
    expect(await ask()).toBe('token-1');
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 301_000);
    try {
      expect(await ask()).toBe('token-2');
    } finally {
      later.mockRestore();
    }
    expect(await runs()).toBe(2);
  });

  it('is asked again a minute before a token ends that says when', async () => {
    const { read } = reader();
    const now = Math.floor(Date.now() / 1000);
    const { command } = await program(`[ "$runs" = 1 ] && echo ${jwt(now + 3600)} || echo second`);
    const ask = () => read({ command, folder }, 'a.bearer', signal);
    expect(await ask()).toBe(jwt(now + 3600));
    const at = (seconds: number) => vi.spyOn(Date, 'now').mockReturnValue((now + seconds) * 1000);
    try {
      at(3500);
      expect(await ask()).toBe(jwt(now + 3600));
      at(3550);
      expect(await ask()).toBe('second');
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('is asked again for what a service refused, and for that alone', async () => {
    const { read, refused } = reader();
    const { command } = await program('echo "token-$runs"');
    const reference = { command, folder };
    const ask = () => read(reference, 'a.bearer', signal);
    const first = await ask();
    expect(refused(reference, 'another')).toBe(false);
    expect(await ask()).toBe(first);
    expect(refused(reference, first)).toBe(true);
    expect(await ask()).toBe('token-2');
    expect(refused(reference, first)).toBe(false);
    expect(refused({ env: 'PATH' }, 'x')).toBe(false);
  });

  it.each([
    [
      'fails',
      'echo hush; echo "" >&2; echo "not signed in: run vault login" >&2; exit 4',
      /ended with code 4: not signed in: run vault login$/,
    ],
    ['is killed', 'kill -9 $$', /ended with a signal\.$/],
    ['prints nothing', 'echo "no such entry" >&2', /printed nothing: no such entry$/],
    ['prints without end', 'yes hush', /printed more than 256 KiB: that is no secret\.$/],
  ])('where it %s says so, without what it printed, and is asked again', async (_, text, message) => {
    const { read, announced } = reader();
    const { command, runs } = await program(text);
    for (const times of [1, 2]) {
      const error = await read({ command, folder }, 'a.bearer', signal).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'credentials_missing', message: expect.stringMatching(message) });
      expect(error.message).toContain(`The program ${command[0]}, named by a.bearer, `);
      expect(error.message).not.toContain('hush');
      expect(await runs()).toBe(times);
    }
    expect(announced).toEqual([]);
  });

  it('that is not there says so', async () => {
    await expect(reader().read({ command: ['no-such-program'] }, 'a.bearer', signal)).rejects.toMatchObject({
      code: 'credentials_missing',
      message: 'The program no-such-program, named by a.bearer, is not there.',
    });
  });

  it('ends with the last call that waits for it', async () => {
    const { read } = reader();
    const { command, runs } = await program(`echo $$ > '${folder}/pid'; sleep 60; echo late`);
    const controller = new AbortController();
    const asked = read({ command, folder }, 'a.bearer', controller.signal);
    await vi.waitFor(
      async () => expect((await readFile(join(folder, 'pid'), 'utf8')).trim()).not.toBe(''),
      20_000,
    );
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 20_000);
    expect(await runs()).toBe(1);
  });

  it('may leave something running that holds its pipes', async () => {
    const { read } = reader();
    const { command } = await program(`sleep 20 & echo $! > '${folder}/left'; echo token`);
    expect(await read({ command, folder }, 'a.bearer', signal)).toBe('token');
    process.kill(Number(await readFile(join(folder, 'left'), 'utf8')));
  });
});
