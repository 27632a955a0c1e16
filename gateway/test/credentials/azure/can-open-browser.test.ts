import { describe, expect, it } from 'vitest';
import { canOpenBrowser } from '../../../src/credentials/azure/can-open-browser.ts';

const nowhere = () => false;

describe('a browser', () => {
  it.each([
    ['a Linux desktop', { DISPLAY: ':0' }, 'linux', true],
    ['Wayland', { WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
    ['Linux on Windows', { WSL_DISTRO_NAME: 'Ubuntu' }, 'linux', true],
    ['Linux without a display', {}, 'linux', false],
    ['macOS', {}, 'darwin', true],
    ['Windows', {}, 'win32', true],
    ['a shell from elsewhere', { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, 'darwin', false],
    ['a shell from elsewhere with a display', { DISPLAY: ':10', SSH_TTY: '/dev/pts/0' }, 'linux', false],
    ['continuous integration', { CI: 'true', DISPLAY: ':0' }, 'linux', false],
    ['no continuous integration', { CI: 'false', DISPLAY: ':0' }, 'linux', true],
    ['a codespace', { CODESPACES: 'true', DISPLAY: ':0' }, 'linux', false],
    ['a pod', { KUBERNETES_SERVICE_HOST: '10.0.0.1', DISPLAY: ':0' }, 'linux', false],
    ['somebody who wants none', { BROWSER: 'none' }, 'darwin', false],
  ] as const)('on %s', (_where, env, platform, expected) => {
    expect(canOpenBrowser(env, platform, nowhere)).toBe(expected);
  });

  it('in a container whose owner names one', () => {
    expect(canOpenBrowser({ BROWSER: '/usr/bin/forward' }, 'linux', () => true)).toBe(true);
  });

  it.each(['/.dockerenv', '/run/.containerenv'])('not in a container, known by %s', (file) => {
    expect(canOpenBrowser({ DISPLAY: ':0' }, 'linux', (path) => path === file)).toBe(false);
  });
});
