import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { homeDirectory } from '../../config/index.ts';
import { isObject } from '../../operations/index.ts';
import { type FoundServers, readServers } from '../mcp-servers/read-servers.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ClientPlace } from './client.ts';
import { readClientFile } from './client-file.ts';
import { isOurs } from './entry.ts';
import { parseJsonc } from './jsonc.ts';
import { CLIENTS } from './registry.ts';

/** A client of this user, as far as its files say. */
export interface SurveyedClient {
  /** As `connect` calls it. */
  readonly name: string;
  readonly title: string;
  /** Toolcrib stands in its configuration. */
  readonly connected: boolean;
  /** Servers of others in its configurations, where there are any: each file for itself. */
  readonly servers: readonly FoundServers[];
}

/** Clients whose configuration, or the folder for it, exists; only read, and what cannot be read is left out. */
export async function surveyClients(terminal: Terminal): Promise<SurveyedClient[]> {
  const { env, platform, cwd } = terminal;
  const place = { env, platform, cwd, home: homeDirectory(env, platform) };
  const found: SurveyedClient[] = [];
  for (const [name, client] of Object.entries(CLIENTS)) {
    const user = client.userFile(place);
    const project = client.projectFile?.(place);
    // a client that was installed and never configured has a folder of its own, if not the user's
    const present = existsSync(user) || (dirname(user) !== place.home && existsSync(dirname(user)));
    if (!present && (project === undefined || !existsSync(project))) continue;
    // in the home folder both are one
    const places = new Set([user, ...(project === undefined ? [] : [project])]);
    const files = await Promise.all([...places].map(read));
    found.push({
      name,
      title: client.title,
      connected: files.some((file) => holdsOurs(file?.value, client.key)),
      servers: (await Promise.all(files.map((file) => serversOf(file, place)))).filter(
        (one) => one !== undefined,
      ),
    });
  }
  return found;
}

interface ReadFile {
  readonly path: string;
  readonly value: unknown;
}

async function read(file: string): Promise<ReadFile | undefined> {
  try {
    const { path, text } = await readClientFile(file);
    return text === undefined || text.trim() === ''
      ? undefined
      : { path, value: parseJsonc(text, path).value };
  } catch {
    return undefined;
  }
}

async function serversOf(file: ReadFile | undefined, place: ClientPlace): Promise<FoundServers | undefined> {
  if (file === undefined) return undefined;
  const found = await readServers(file.value, file.path, place).catch(() => undefined);
  return found === undefined || Object.keys(found.servers).length === 0 ? undefined : found;
}

function holdsOurs(value: unknown, key: string): boolean {
  const servers = isObject(value) ? value[key] : undefined;
  return isObject(servers) && Object.values(servers).some(isOurs);
}
