import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject } from '../../operations/index.ts';
import { type ClientPlaces, clientPlaces } from '../mcp-servers/client-places.ts';
import { placeOf, serversOfFile } from '../mcp-servers/find-servers.ts';
import type { FoundServers } from '../mcp-servers/read-servers.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ClientPlace } from './client.ts';
import { readClientFile } from './client-file.ts';
import { isOurs } from './entry.ts';
import { valueIn } from './entry-text.ts';
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
  const place = placeOf(terminal);
  const found: SurveyedClient[] = [];
  for (const client of clientPlaces(place)) {
    const { name, title, files } = client;
    if (!isPresent(client, place)) continue;
    const servers = (await Promise.all(files.map((file) => serversIn(file, place)))).flat();
    const connected = (await Promise.all(files.map((file) => holdsOurs(name, file)))).includes(true);
    found.push({ name, title, connected, servers });
  }
  return found;
}

/** A client that was installed and never configured has a folder of its own, if not the user's. */
function isPresent({ files }: ClientPlaces, { home }: ClientPlace): boolean {
  if (files.some((file) => existsSync(file))) return true;
  const [user] = files;
  return user !== undefined && dirname(user) !== home && existsSync(dirname(user));
}

async function serversIn(file: string, place: ClientPlace): Promise<FoundServers[]> {
  const found = await serversOfFile(file, place).catch(() => undefined);
  return found === undefined || Object.keys(found.servers).length === 0 ? [] : [found];
}

async function holdsOurs(name: string, file: string): Promise<boolean> {
  const client = CLIENTS[name]!;
  try {
    const { path, text } = await readClientFile(file);
    const value = text === undefined ? undefined : await valueIn(client, text, path);
    const servers = isObject(value) ? value[client.key] : undefined;
    return isObject(servers) && Object.values(servers).some(isOurs);
  } catch {
    return false;
  }
}
