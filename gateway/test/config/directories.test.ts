import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  absolutePath,
  defaultLockFile,
  defaultStateDirectory,
  homeDirectory,
} from '../../src/config/directories.ts';
import { parseConfiguration } from '../../src/config/index.ts';

describe('the state directory', () => {
  it.each([
    ['linux', { HOME: '/home/ada' }, '/home/ada/.local/state/toolcrib'],
    ['linux', { HOME: '/home/ada', XDG_STATE_HOME: '/var/state' }, '/var/state/toolcrib'],
    ['linux', { HOME: '/home/ada', XDG_STATE_HOME: 'relative' }, '/home/ada/.local/state/toolcrib'],
    ['darwin', { HOME: '/Users/ada' }, '/Users/ada/.local/state/toolcrib'],
    ['win32', { LOCALAPPDATA: '/L', APPDATA: '/R' }, '/L/toolcrib'],
    ['win32', { APPDATA: '/R' }, '/R/toolcrib'],
    ['win32', { USERPROFILE: '/U' }, '/U/AppData/Local/toolcrib'],
  ] as const)('on %s with %o is %s', (platform, env, expected) => {
    expect(defaultStateDirectory(env, platform)).toBe(expected);
  });
});

it('an empty HOME is no folder: the home is that of the account, not where the command runs', () => {
  vi.stubEnv('HOME', '');
  vi.stubEnv('USERPROFILE', '');
  try {
    expect(isAbsolute(homeDirectory({ HOME: '', USERPROFILE: '' }))).toBe(true);
  } finally {
    vi.unstubAllEnvs();
  }
});

describe('a user of no account, as containers may have', () => {
  it('has the root for a home, and a state directory where one is named', () => {
    vi.spyOn(os, 'homedir').mockImplementation(() => {
      throw new Error('uv_os_homedir returned ENOENT');
    });
    syncBuiltinESMExports();
    try {
      expect(defaultStateDirectory({}, 'linux')).toBe('/.local/state/toolcrib');
      expect(defaultStateDirectory({ XDG_STATE_HOME: '/var/state' }, 'linux')).toBe('/var/state/toolcrib');
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
  });
});

describe('a path of the configuration', () => {
  it.each([
    ['a.yaml', '/base/a.yaml'],
    ['../a.yaml', '/a.yaml'],
    ['/abs/a.yaml', '/abs/a.yaml'],
    ['~/a.yaml', '/home/ada/a.yaml'],
  ])('%s is %s', (path, expected) => {
    expect(absolutePath(path, '/base', { HOME: '/home/ada' })).toBe(expected);
  });
});

describe('the lock that nobody placed', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(os.tmpdir(), 'toolcrib-lock-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const taken = /^\/state\/configurations\/[0-9a-f]{16}\/toolcrib\.lock\.json$/;

  it('lies beside the configuration, also in a folder that is yet to be made', () => {
    expect(defaultLockFile(folder, '/state')).toBe(join(folder, 'toolcrib.lock.json'));
    const absent = join(folder, 'absent');
    expect(defaultLockFile(absent, '/state')).toBe(join(absent, 'toolcrib.lock.json'));
  });

  it('lies with the state where the configuration was mounted read-only, one for each folder', () => {
    const file = defaultLockFile(folder, '/state', () => false);
    expect(file).toMatch(taken);
    expect(defaultLockFile(join(folder, 'another'), '/state', () => false)).not.toBe(file);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'of a folder of somebody else lies with the state',
    async () => {
      await chmod(folder, 0o555);
      const context = { env: {}, baseDirectory: folder, overrides: { stateDirectory: '/state' } };
      expect((await parseConfiguration({}, context)).lock.file).toMatch(taken);
      await chmod(folder, 0o755);
    },
  );

  it('is the one that was shipped with the configuration, read-only or not', async () => {
    const shipped = join(folder, 'toolcrib.lock.json');
    await writeFile(shipped, '{}');
    expect(defaultLockFile(folder, '/state', () => false)).toBe(shipped);
  });
});
