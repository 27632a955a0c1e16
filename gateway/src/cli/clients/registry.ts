import { join, resolve } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import { didYouMean } from '../../operations/text/nearest-name.ts';
import type { Client, ClientPlace } from './client.ts';

/** Where programs keep their settings on this platform. */
function settings({ env, home, platform }: ClientPlace): string {
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] ?? join(home, '.config');
}

/** A new client is one entry. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    userFile: (place) => join(settings(place), 'Claude', 'claude_desktop_config.json'),
    key: 'mcpServers',
    statesType: false,
    after: 'Quit Claude Desktop and start it again.',
  },
  'claude-code': {
    title: 'Claude Code',
    // its own variable moves the folder of its settings, and this file into it
    userFile: ({ env, home, cwd }) => join(resolve(cwd, env['CLAUDE_CONFIG_DIR'] || home), '.claude.json'),
    projectFile: ({ cwd }) => join(cwd, '.mcp.json'),
    key: 'mcpServers',
    statesType: true,
    variable: (name) => `\${${name}}`,
    after: 'Start a new session; /mcp shows the server.',
  },
  vscode: {
    title: 'VS Code',
    userFile: (place) => join(settings(place), 'Code', 'User', 'mcp.json'),
    projectFile: ({ cwd }) => join(cwd, '.vscode', 'mcp.json'),
    key: 'servers',
    statesType: true,
    variable: (name) => `\${env:${name}}`,
    after: 'Run "MCP: List Servers" and start it.',
  },
  cursor: {
    title: 'Cursor',
    userFile: ({ home }) => join(home, '.cursor', 'mcp.json'),
    projectFile: ({ cwd }) => join(cwd, '.cursor', 'mcp.json'),
    key: 'mcpServers',
    statesType: false,
    variable: (name) => `\${env:${name}}`,
    after: 'Open Cursor Settings > MCP and switch it on.',
  },
  gemini: {
    title: 'Gemini CLI',
    userFile: ({ env, home, cwd }) =>
      join(resolve(cwd, env['GEMINI_CLI_HOME'] || home), '.gemini', 'settings.json'),
    projectFile: ({ cwd }) => join(cwd, '.gemini', 'settings.json'),
    key: 'mcpServers',
    statesType: false,
    variable: (name) => `\${${name}}`,
    after: 'Start a new session; /mcp shows the server.',
  },
  codex: {
    title: 'Codex',
    userFile: ({ env, home, cwd }) =>
      join(env['CODEX_HOME'] ? resolve(cwd, env['CODEX_HOME']) : join(home, '.codex'), 'config.toml'),
    // read in projects that its user trusts
    projectFile: ({ cwd }) => join(cwd, '.codex', 'config.toml'),
    format: 'toml',
    key: 'mcp_servers',
    names: /^[A-Za-z0-9_-]+$/,
    statesType: false,
    passesOn: 'env_vars',
    after: 'Start a new session; /mcp shows the server.',
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
