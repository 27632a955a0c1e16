import { join, resolve } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import { didYouMean } from '../../operations/text/nearest-name.ts';
import type { Client, ClientFiles, ClientPlace } from './client.ts';

/** Where programs keep their settings on this platform. */
function settings({ env, home, platform }: ClientPlace): string {
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] ?? join(home, '.config');
}

/** The folder for settings of programs that follow freedesktop.org on every platform but Windows. */
function xdgFolder({ env, home, platform }: ClientPlace): string {
  return platform === 'win32' ? join(home, '.config') : env['XDG_CONFIG_HOME'] || join(home, '.config');
}

function zedFolder(place: ClientPlace): string {
  const { env, home, platform } = place;
  if (platform === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Zed');
  return join(platform === 'darwin' ? join(home, '.config') : xdgFolder(place), 'zed');
}

function opencodeFiles(folder: string): ClientFiles {
  return [join(folder, 'opencode.json'), join(folder, 'opencode.jsonc')];
}

/** A new client is one entry. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    userFiles: (place) => [join(settings(place), 'Claude', 'claude_desktop_config.json')],
    key: 'mcpServers',
    statesType: false,
    after: 'Quit Claude Desktop and start it again.',
  },
  'claude-code': {
    title: 'Claude Code',
    // its own variable moves the folder of its settings, and this file into it
    userFiles: ({ env, home, cwd }) => [join(resolve(cwd, env['CLAUDE_CONFIG_DIR'] || home), '.claude.json')],
    projectFiles: ({ cwd }) => [join(cwd, '.mcp.json')],
    key: 'mcpServers',
    statesType: true,
    variable: (name) => `\${${name}}`,
    after: 'Start a new session; /mcp shows the server.',
  },
  vscode: {
    title: 'VS Code',
    userFiles: (place) => [join(settings(place), 'Code', 'User', 'mcp.json')],
    projectFiles: ({ cwd }) => [join(cwd, '.vscode', 'mcp.json')],
    key: 'servers',
    statesType: true,
    variable: (name) => `\${env:${name}}`,
    after: 'Run "MCP: List Servers" and start it.',
  },
  cursor: {
    title: 'Cursor',
    userFiles: ({ home }) => [join(home, '.cursor', 'mcp.json')],
    projectFiles: ({ cwd }) => [join(cwd, '.cursor', 'mcp.json')],
    key: 'mcpServers',
    statesType: false,
    variable: (name) => `\${env:${name}}`,
    after: 'Open Cursor Settings > MCP and switch it on.',
  },
  gemini: {
    title: 'Gemini CLI',
    userFiles: ({ env, home, cwd }) => [
      join(resolve(cwd, env['GEMINI_CLI_HOME'] || home), '.gemini', 'settings.json'),
    ],
    projectFiles: ({ cwd }) => [join(cwd, '.gemini', 'settings.json')],
    key: 'mcpServers',
    statesType: false,
    variable: (name) => `\${${name}}`,
    after: 'Start a new session; /mcp shows the server.',
  },
  codex: {
    title: 'Codex',
    userFiles: ({ env, home, cwd }) => [
      join(env['CODEX_HOME'] ? resolve(cwd, env['CODEX_HOME']) : join(home, '.codex'), 'config.toml'),
    ],
    // read in projects that its user trusts
    projectFiles: ({ cwd }) => [join(cwd, '.codex', 'config.toml')],
    format: 'toml',
    key: 'mcp_servers',
    names: /^[A-Za-z0-9_-]+$/,
    statesType: false,
    passesOn: 'env_vars',
    after: 'Start a new session; /mcp shows the server.',
  },
  windsurf: {
    title: 'Windsurf',
    userFiles: ({ home }) => [join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    key: 'mcpServers',
    statesType: false,
    variable: (name) => `\${env:${name}}`,
    after: 'Open the MCP servers in Cascade and refresh them.',
  },
  zed: {
    title: 'Zed',
    userFiles: (place) => [join(zedFolder(place), 'settings.json')],
    projectFiles: ({ cwd }) => [join(cwd, '.zed', 'settings.json')],
    key: 'context_servers',
    statesType: false,
    after: 'Open the settings of the Agent Panel; its MCP servers show it.',
  },
  opencode: {
    title: 'OpenCode',
    userFiles: (place) => opencodeFiles(join(xdgFolder(place), 'opencode')),
    projectFiles: ({ cwd }) => opencodeFiles(cwd),
    key: 'mcp',
    statesType: false,
    written: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...(env === undefined ? {} : { environment: env }),
      enabled: true,
    }),
    variable: (name) => `{env:${name}}`,
    after: 'Start a new session; `opencode mcp list` shows the server.',
  },
  copilot: {
    title: 'Copilot CLI',
    userFiles: ({ env, home, cwd }) => [
      join(
        env['COPILOT_HOME'] ? resolve(cwd, env['COPILOT_HOME']) : join(home, '.copilot'),
        'mcp-config.json',
      ),
    ],
    key: 'mcpServers',
    statesType: false,
    written: ({ command, args, env }) => ({
      type: 'local',
      command,
      args: [...args],
      ...(env === undefined ? {} : { env }),
      tools: ['*'],
    }),
    variable: (name) => `\${${name}}`,
    after: 'Start a new session; `copilot mcp list` shows the server.',
  },
};

export function clientNamed(name: string): Client {
  const client = Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
  if (client !== undefined) return client;
  const names = Object.keys(CLIENTS);
  throw new ToolcribError(
    'client_unknown',
    `There is no client "${name}"; there is ${names.join(', ')}.${didYouMean(name, names)}`,
  );
}
