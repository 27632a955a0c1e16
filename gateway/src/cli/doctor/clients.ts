import { homeDirectory } from '../../config/index.ts';
import type { Finding } from '../../doctor/finding.ts';
import { isToolcribError } from '../../errors.ts';
import { isObject } from '../../operations/index.ts';
import type { Client } from '../clients/client.ts';
import { readClientFile } from '../clients/client-file.ts';
import { isOurs } from '../clients/entry.ts';
import { valueIn } from '../clients/entry-text.ts';
import { CLIENTS } from '../clients/registry.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Which clients of this user have a configuration, and whether Toolcrib stands in it. */
export async function checkClients(terminal: Terminal): Promise<Finding[]> {
  const { env, platform, cwd } = terminal;
  const place = { env, platform, cwd, home: homeDirectory(env, platform) };
  const findings: Finding[] = [];
  for (const [name, client] of Object.entries(CLIENTS)) {
    const files = new Set([...client.userFiles(place), ...(client.projectFiles?.(place) ?? [])]);
    for (const file of files) {
      const finding = await checkClient(name, client, file);
      if (finding !== undefined) findings.push(finding);
    }
  }
  if (findings.length > 0) return findings;
  return [{ check: 'clients', status: 'info', message: 'no configuration of an MCP client was found' }];
}

async function checkClient(name: string, client: Client, file: string): Promise<Finding | undefined> {
  const check = `client ${name}`;
  try {
    const { text, path } = await readClientFile(file);
    if (text === undefined) return undefined;
    const value = await valueIn(client, text, path);
    const servers = isObject(value) && isObject(value[client.key]) ? value[client.key] : {};
    const ours = Object.entries(servers as object).filter(([, entry]) => isOurs(entry));
    return ours.length > 0
      ? { check, status: 'ok', message: `connected as ${ours.map(([key]) => key).join(', ')} (${path})` }
      : { check, status: 'info', message: `not connected (${path})`, next: `toolcrib connect ${name}` };
  } catch (error) {
    if (!isToolcribError(error)) throw error;
    return {
      check,
      status: 'warning',
      message: `${error.message} (${error.location ?? file})`,
      next: 'Correct the file; the client cannot read it either.',
    };
  }
}
