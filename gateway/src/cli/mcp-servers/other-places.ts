import { join } from 'node:path';
import type { ClientPlace } from '../clients/client.ts';

/** Files of clients that have servers and that `connect` does not write: Windsurf, Zed, OpenCode, Copilot CLI. */
export function otherPlaces({ env, home, cwd, platform }: ClientPlace): readonly string[] {
  const config =
    platform === 'win32' ? join(home, '.config') : env['XDG_CONFIG_HOME'] || join(home, '.config');
  const zed =
    platform === 'win32'
      ? join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Zed')
      : join(platform === 'darwin' ? join(home, '.config') : config, 'zed');
  return [
    join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    join(zed, 'settings.json'),
    join(cwd, '.zed', 'settings.json'),
    join(config, 'opencode', 'opencode.json'),
    join(config, 'opencode', 'opencode.jsonc'),
    join(cwd, 'opencode.json'),
    join(cwd, 'opencode.jsonc'),
    join(home, '.copilot', 'mcp-config.json'),
  ];
}

/** Codex keeps its servers in TOML, which is not read here. */
export function codexFile({ env, home }: ClientPlace): string {
  return join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml');
}
