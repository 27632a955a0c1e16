import { isAbsolute, resolve, sep } from 'node:path';
import { ToolcribError } from '../errors.ts';
import type { Isolation } from '../operations/index.ts';

export interface IsolatedCommand {
  /** Absolute. */
  readonly program: string;
  /** Where it lies when links are followed. */
  readonly target: string;
  readonly args: readonly string[];
  /** Set on top of what bwrap itself was started with; nothing secret, since arguments can be read by others. */
  readonly variables: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly isolation: Omit<Isolation, 'mode'>;
  /** Most that the private /tmp holds, bytes; absent: as the kernel limits it. Needs bubblewrap 0.7. */
  readonly tmpBytes?: number;
}

/** What programs are made of; absent folders are left out. */
export const SYSTEM: readonly string[] = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'],
  ...['/nix/store', '/gnu/store'],
];

/** Names, certificates and the linker: no shadow, no keys, no configuration of services. */
const SETTINGS = [
  ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/alternatives', '/etc/localtime'],
  ...['/etc/passwd', '/etc/group', '/etc/nsswitch.conf'],
  ...[
    '/etc/ssl/certs',
    '/etc/ssl/openssl.cnf',
    '/etc/pki/tls/certs',
    '/etc/pki/ca-trust',
    '/etc/ca-certificates',
  ],
];
const NETWORK_SETTINGS = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/host.conf',
  '/etc/gai.conf',
  '/etc/services',
];

/** Made anew inside: nothing of the machine's is put over them. */
const OWN = ['/', '/proc', '/dev', '/tmp'];

/** A folder that is empty at every start. */
export const HOME = '/tmp/home';

/** The whole arguments of bwrap: options, then the program and its own. Throws as `bubblewrapOptions` does. */
export function bubblewrapArguments(command: IsolatedCommand): string[] {
  return [...bubblewrapOptions(command), '--', command.program, ...command.args];
}

/**
 * The options of bwrap: own namespaces (the network's only where it is allowed), a private /tmp with the home in
 * it, the system and the program read-only, the working folder read-only, then what was chosen. Throws
 * `configuration_invalid` for a path that is not absolute and plain.
 */
export function bubblewrapOptions(command: IsolatedCommand): string[] {
  const { program, target, variables, cwd, isolation, tmpBytes } = command;
  const { network, read, write } = isolation;
  for (const path of [...read, ...write]) assertChosen(path);
  if (cwd !== undefined) assertPlain(cwd);
  // bwrap cannot bind over a link, as the python of a virtual environment is one, in a folder that is bound already
  const programs = [program, target].filter((path) => !isWithin(path, [...SYSTEM, ...read]));
  const isThere = cwd === undefined || OWN.includes(cwd) || isWithin(cwd, [...SYSTEM, ...read, ...write]);
  return [
    ...['--unshare-all', ...(network ? ['--share-net'] : []), '--die-with-parent', '--new-session'],
    ...['--cap-drop', 'ALL', '--hostname', 'toolcrib'],
    ...['--proc', '/proc', '--dev', '/dev'],
    ...(tmpBytes === undefined ? [] : ['--size', String(tmpBytes)]),
    ...['--tmpfs', '/tmp', '--dir', HOME],
    ...bound('--ro-bind-try', [...SYSTEM, ...SETTINGS, ...(network ? NETWORK_SETTINGS : [])]),
    ...chosen([...programs, ...(isThere ? [] : [cwd]), ...read], write),
    ...['--remount-ro', '/', '--chdir', cwd ?? HOME],
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

/** A folder before what lies in it, so that the narrower choice holds. */
function chosen(read: readonly string[], write: readonly string[]): string[] {
  const options = new Map([
    ...read.map((path) => [path, '--ro-bind'] as const),
    ...write.map((path) => [path, '--bind'] as const),
  ]);
  const paths = [...options.keys()].sort((left, right) => left.length - right.length);
  return paths.flatMap((path) => [options.get(path)!, path, path]);
}

function bound(option: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => [option, path, path]);
}

export function isWithin(path: string, folders: readonly string[], separator: string = sep): boolean {
  return folders.some(
    (folder) => path === folder || path.startsWith(folder.endsWith(separator) ? folder : folder + separator),
  );
}

function assertChosen(path: string): void {
  assertPlain(path);
  if (!OWN.includes(path.replace(/(?<=.)\/$/, ''))) return;
  throw new ToolcribError(
    'configuration_invalid',
    `isolation: ${path} is made anew for each program; choose folders in it.`,
  );
}

function assertPlain(path: string): void {
  if (isAbsolute(path) && resolve(path) === path.replace(/(?<=.)\/$/, '') && !path.includes('\0')) return;
  throw new ToolcribError(
    'configuration_invalid',
    `isolation: ${JSON.stringify(path)} is no absolute, plain path.`,
  );
}
