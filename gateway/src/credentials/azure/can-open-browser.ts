import { existsSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables by which a machine says that nobody sits before it. */
const REMOTE = [
  'CI',
  'SSH_CONNECTION',
  'SSH_CLIENT',
  'SSH_TTY',
  'CODESPACES',
  'REMOTE_CONTAINERS',
  'KUBERNETES_SERVICE_HOST',
  'container',
];

/** Files that Docker and Podman put into a container. */
const CONTAINER_FILES = ['/.dockerenv', '/run/.containerenv'];

/** Whether a browser that is opened here is seen by the person who signs in. `BROWSER=none` says that it is not. */
export function canOpenBrowser(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
  exists: (path: string) => boolean = existsSync,
): boolean {
  const says = (name: string) => (env[name] ?? '') !== '';
  if (REMOTE.some((name) => says(name) && env[name] !== 'false') || env['BROWSER'] === 'none') return false;
  if (platform !== 'linux') return true;
  // whoever names a program knows where it opens
  if (says('BROWSER')) return true;
  if (CONTAINER_FILES.some((file) => exists(file))) return false;
  // Windows' own browser opens from its Linux
  return says('DISPLAY') || says('WAYLAND_DISPLAY') || says('WSL_DISTRO_NAME');
}
