import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { isAbsolute } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { absolutePath, defaultStateDirectory, homeDirectory } from '../../src/config/directories.ts';

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
