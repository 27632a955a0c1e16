import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';

export interface PortHolder {
  readonly pid: number;
  /** The program's name; its arguments, which may hold secrets, stay out. */
  readonly name: string;
}

/** State of a listening socket in /proc/net/tcp. */
const LISTENING = '0A';

/** The process that listens on a TCP port, where Linux tells: one's own processes only, unless one is root. */
export async function portHolder(port: number): Promise<PortHolder | undefined> {
  if (process.platform !== 'linux') return undefined;
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(read));
  const sockets = new Set(tables.flatMap((table) => listeningSockets(table, port)));
  if (sockets.size === 0) return undefined;
  for (const pid of await entries('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    for (const descriptor of await entries(`/proc/${pid}/fd`)) {
      const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '');
      if (sockets.has(target)) return { pid: Number(pid), name: await nameOf(pid) };
    }
  }
  return undefined;
}

/** Its file's: what a program calls its first thread, as Node does (`MainThread`), says nothing. */
async function nameOf(pid: string): Promise<string> {
  const file = await readlink(`/proc/${pid}/exe`).catch(() => '');
  return basename(file.replace(/ \(deleted\)$/, '')) || (await read(`/proc/${pid}/comm`)).trim();
}

/** Names of the sockets as links of descriptors show them: `socket:[12345]`. */
function listeningSockets(table: string, port: number): string[] {
  const hexadecimal = port.toString(16).toUpperCase().padStart(4, '0');
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === LISTENING && local.endsWith(`:${hexadecimal}`) ? [`socket:[${inode}]`] : [];
  });
}

/** Processes come and go while they are looked at, and those of others cannot be read. */
function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

function entries(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
