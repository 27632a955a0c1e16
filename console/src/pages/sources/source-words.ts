import type { SourceKindName } from '../../../../gateway/src/config/defaults.ts';
import type { SourceHealth, SourceState } from '../../../../gateway/src/server/http/admin/gateway-sources.ts';
import type { Tone } from '../../components/badge.tsx';
import { count } from '../../components/quantities.ts';

interface Words {
  readonly tone: Tone;
  readonly word: string;
  /** In a sentence, for hovering. */
  readonly meaning: string;
}

const HEALTH: Readonly<Record<SourceHealth, Words>> = {
  ok: { tone: 'good', word: 'well', meaning: 'It was read, and its tools are served.' },
  stale: { tone: 'warn', word: 'stale', meaning: 'It cannot be read now: its last good tools are served.' },
  failing: { tone: 'bad', word: 'failing', meaning: 'It cannot be read: it has no tools.' },
  starting: { tone: 'info', word: 'starting', meaning: 'It is being read.' },
  paused: { tone: 'neutral', word: 'off', meaning: 'It is switched off in its entry.' },
};

type Read = Pick<SourceState, 'health' | 'operations'> &
  Partial<Pick<SourceState, 'tools' | 'skipped' | 'drift'>>;

/** How a source is. One that was read and brings nothing says so, and why. */
export function healthOf(source: Read): Words {
  const { health, operations, tools = operations, skipped = 0, drift } = source;
  if (health !== 'ok' || tools > 0) return HEALTH[health];
  const none = { tone: 'warn', word: 'no tools' } as const;
  if (operations > 0) return { ...none, meaning: heldBack(operations, drift?.waiting ?? 0) };
  if (skipped > 0)
    return {
      ...none,
      meaning:
        skipped === 1 ? 'Its one operation was left out.' : `All ${count(skipped)} operations were left out.`,
    };
  return { tone: 'neutral', word: 'no tools', meaning: 'It was read, and brings no tools.' };
}

function heldBack(operations: number, waiting: number): string {
  const all = operations === 1 ? 'Its one definition' : `All ${count(operations)} definitions`;
  const waits = operations === 1 ? 'waits' : 'wait';
  return waiting > 0
    ? `${all} ${waits} to be accepted.`
    : `${all} ${operations === 1 ? 'is' : 'are'} held back.`;
}

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
