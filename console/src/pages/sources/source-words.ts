import type { SourceKindName } from '../../../../gateway/src/config/defaults.ts';
import type { SourceHealth, SourceState } from '../../../../gateway/src/server/http/admin/gateway-sources.ts';
import type { Tone } from '../../components/badge.tsx';

interface Words {
  readonly tone: Tone;
  readonly word: string;
  /** In a sentence, for hovering. */
  readonly meaning: string;
}

export const HEALTH: Readonly<Record<SourceHealth, Words>> = {
  ok: { tone: 'good', word: 'well', meaning: 'It was read, and its tools are served.' },
  stale: { tone: 'warn', word: 'stale', meaning: 'It cannot be read now: its last good tools are served.' },
  failing: { tone: 'bad', word: 'failing', meaning: 'It cannot be read: it has no tools.' },
  starting: { tone: 'info', word: 'starting', meaning: 'It is being read.' },
  paused: { tone: 'neutral', word: 'off', meaning: 'It is switched off in its entry.' },
};

/** Whether its calls can be made at all; beside how its reading went. */
export function lacksWord({ calls, of }: NonNullable<SourceState['lacks']>): string {
  return calls === of ? 'credential missing' : 'credential missing for some calls';
}

/** The same in a sentence: of a large source the first operations alone were looked at. */
export function lacksTitle({ calls, of }: NonNullable<SourceState['lacks']>, operations: number): string {
  if (calls < of) return 'Some calls would fail';
  return of < operations
    ? `Calls would fail: all ${of} operations that were looked at`
    : 'Every call would fail';
}

const KINDS: Readonly<Record<SourceKindName, string>> = {
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
  const words: Readonly<Record<string, string>> = KINDS;
  return Object.hasOwn(words, kind) ? words[kind]! : kind;
}
