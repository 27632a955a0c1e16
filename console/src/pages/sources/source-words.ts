import type { ConnectionStatus } from '../../../../gateway/src/operations/index.ts';
import type { SourceHealth } from '../../../../gateway/src/server/http/gateway-sources.ts';
import type { Tone } from '../../components/badge.tsx';

interface Words {
  readonly tone: Tone;
  readonly word: string;
  /** In a sentence, for hovering. */
  readonly meaning: string;
}

export const HEALTH: Readonly<Record<SourceHealth, Words>> = {
  ok: { tone: 'good', word: 'Well', meaning: 'It was read, and its tools are served.' },
  stale: { tone: 'warn', word: 'Stale', meaning: 'It cannot be read now: its last good tools are served.' },
  failing: { tone: 'bad', word: 'Failing', meaning: 'It cannot be read: it has no tools.' },
  starting: { tone: 'info', word: 'Starting', meaning: 'It is being read.' },
  paused: { tone: 'neutral', word: 'Off', meaning: 'It is switched off in its entry.' },
};

const KINDS: Readonly<Record<string, string>> = {
  openapi: 'OpenAPI',
  manifest: 'Provider',
  mcp: 'MCP server',
  web: 'Web',
  n8n: 'n8n',
  azure: 'Azure',
  skills: 'Skills',
  function: 'Functions',
  package: 'Tool package',
  self: 'Own API',
};

export function kindWord(kind: string): string {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind]! : kind;
}

/** `1 tool`, `3 tools`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString()} ${number === 1 ? one : many}`;
}

export const CONNECTION_WORDS: Readonly<Record<ConnectionStatus, string>> = {
  connected: 'Connected',
  unauthenticated: 'To be connected again',
  disabled: 'Account switched off',
  missing: 'Not connected',
};
