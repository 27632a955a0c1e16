import { spawnSync } from 'node:child_process';
import {
  access,
  chmod,
  chown,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTokenFile, writeTokenFile } from '../../../src/credentials/sign-in/token-file.ts';
import { withTokenFileLock } from '../../../src/credentials/sign-in/token-file-lock.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-token-file-'));
  file = join(folder, 'pets.json');
});
afterEach(() => rm(folder, { recursive: true }));

const read = () =>
  readTokenFile(file, (value) => (Object.hasOwn(Object(value), 'token') ? value : undefined));
const write = (text: string) => writeFile(file, text, { mode: 0o600 });
const unusable = (why: RegExp) => ({
  code: 'configuration_invalid',
  location: file,
  message: expect.stringMatching(why),
});

describe('a token file', () => {
  it('holds what was written, for its owner alone', async () => {
    expect(await read()).toBeUndefined();
    await writeTokenFile(file, { token: 'one' });
    await writeTokenFile(file, { token: 'two' });
    expect(await read()).toEqual({ token: 'two' });
    expect(await readdir(folder)).toEqual(['pets.json']);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it.each(['', '{"token":', '{}', '[]', 'null'])('that holds %j holds no sign-in', async (text) => {
    await write(text);
    await expect(read()).rejects.toMatchObject(unusable(/holds no sign-in/));
  });

  it('of a reader that fails for another reason says that', async () => {
    await write('{}');
    const failing = readTokenFile(file, () => {
      throw new RangeError('beyond');
    });
    await expect(failing).rejects.toThrow('beyond');
  });

  it.skipIf(process.platform === 'win32')(
    'of others is neither read nor replaced: open to them, a link, a folder, too large',
    async () => {
      const both = async (why: RegExp) => {
        await expect(read()).rejects.toMatchObject(unusable(why));
        await expect(writeTokenFile(file, { token: 'mine' })).rejects.toMatchObject(unusable(why));
        await rm(file, { recursive: true });
      };
      for (const mode of [0o640, 0o604, 0o620]) {
        await write('{"token":"theirs"}');
        await chmod(file, mode);
        await both(new RegExp(`mode ${mode.toString(8)}`));
      }
      await write(JSON.stringify({ token: 'x'.repeat(256 * 1024) }));
      await both(/no small plain file/);
      await mkdir(file);
      await both(/no small plain file/);
      const elsewhere = join(folder, 'elsewhere.json');
      await writeFile(elsewhere, '{"token":"theirs"}', { mode: 0o600 });
      await symlink(elsewhere, file);
      await both(/is a symbolic link/);
    },
  );

  it.skipIf(process.getuid?.() !== 0)(
    'of another user is not used, though only they can read it',
    async ({ skip }) => {
      await write('{"token":"theirs"}');
      await chown(file, 12_345, 12_345);
      const isReadable = await access(file, constants.R_OK).then(
        () => true,
        () => false,
      );
      skip(!isReadable, 'root may not read the files of others here');
      await expect(read()).rejects.toMatchObject(unusable(/belongs to another user/));
    },
  );

  it.skipIf(process.platform === 'win32')('that is a pipe is not waited for', async () => {
    expect(spawnSync('mkfifo', [file]).status).toBe(0);
    await expect(read()).rejects.toMatchObject(unusable(/no small plain file/));
  });

  it('whose folder is gone says so', async () => {
    file = join(folder, 'gone', 'pets.json');
    await expect(writeTokenFile(file, { token: 'one' })).rejects.toMatchObject(unusable(/cannot be written/));
  });
});

describe('its lock', () => {
  it('that can never be made is said at once', async () => {
    await writeFile(file, '{}');
    const locked = withTokenFileLock(join(file, 'pets.json'), AbortSignal.timeout(30_000), async () => 'ran');
    await expect(locked).rejects.toMatchObject({ code: 'configuration_invalid' });
  });

  it('of somebody else is waited for until the signal ends', async () => {
    await writeFile(`${file}.lock`, 'another');
    await expect(withTokenFileLock(file, AbortSignal.timeout(100), async () => 'ran')).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['pets.json.lock']);
  });

  it('goes with what ran in it, however that ended', async () => {
    const { signal } = new AbortController();
    expect(await withTokenFileLock(file, signal, async () => (await readdir(folder))[0])).toBe(
      'pets.json.lock',
    );
    const failing = withTokenFileLock(file, signal, () => Promise.reject(new Error('away')));
    await expect(failing).rejects.toThrow('away');
    expect(await readdir(folder)).toEqual([]);
  });
});
