import { join } from 'node:path';
import type { ClientPlace } from '../clients/client.ts';
import { CLIENTS } from '../clients/registry.ts';

/** Where a client keeps its servers. */
export interface ClientFiles {
  readonly title: string;
  /** As `connect` calls it; absent: `connect` does not write this client's file. */
  readonly name?: string;
  /** Of the user, and of this folder; whether they are there or not. */
  readonly files: readonly string[];
}

/** Every client whose servers are read. */
export function clientPlaces(place: ClientPlace): readonly ClientFiles[] {
  const connected = Object.entries(CLIENTS).map(([name, client]) => ({
    name,
    title: client.title,
    // in the home folder both are one
    files: [...new Set([client.userFile(place), client.projectFile?.(place) ?? []].flat())],
  }));
  return [...connected, ...otherPlaces(place)];
}

function otherPlaces({ env, home, cwd, platform }: ClientPlace): readonly ClientFiles[] {
  const config =
    platform === 'win32' ? join(home, '.config') : env['XDG_CONFIG_HOME'] || join(home, '.config');
  const zed =
    platform === 'win32'
      ? join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Zed')
      : join(platform === 'darwin' ? join(home, '.config') : config, 'zed');
  return [
    { title: 'Windsurf', files: [join(home, '.codeium', 'windsurf', 'mcp_config.json')] },
    { title: 'Zed', files: [join(zed, 'settings.json'), join(cwd, '.zed', 'settings.json')] },
    {
      title: 'OpenCode',
      files: [join(config, 'opencode'), cwd].flatMap((folder) => [
        join(folder, 'opencode.json'),
        join(folder, 'opencode.jsonc'),
      ]),
    },
    { title: 'Copilot CLI', files: [join(home, '.copilot', 'mcp-config.json')] },
  ];
}
