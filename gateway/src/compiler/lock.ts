import { ToolcribError } from '../errors.ts';
import type { Diagnostic } from '../operations/index.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';
import { diffDefinitions } from './diff.ts';
import { differHarmlessly } from './harmless-differences.ts';
import { createNewOrigins, type Leading, type LeadingOf } from './lock-origins.ts';
import { type Rejection, rejectionOf } from './lock-rejections.ts';

/** One compiled tool as the lock sees it. */
export interface LockEntry {
  readonly name: string;
  readonly source: string;
  /** Operation id within the source. */
  readonly operation: string;
  /** The tool, its access and its invocation; what the hash covers. */
  readonly definition: object;
  /** `sha256:` over the canonical definition. */
  readonly hash: string;
}

export interface LockedTool {
  readonly operation: string;
  readonly source: string;
  readonly hash: string;
  /** Kept so that a change can be shown as a diff. */
  readonly definition?: object;
}

/** `toolcrib.lock.json`: the definitions that a person has accepted. */
export interface ToolLock {
  readonly version: 1;
  /** Hash of the catalog that was accepted as a whole; absent after a partial acceptance. */
  readonly catalog?: string;
  readonly sources: Readonly<Record<string, { readonly fingerprint: string }>>;
  readonly tools: Readonly<Record<string, LockedTool>>;
  /** Changes that a person refused, by tool: withheld in every mode until the definition is another one. */
  readonly rejected?: Readonly<Record<string, Rejection>>;
}

/**
 * `pin`: new tools are taken into the lock, changed ones wait; for definitions that somebody else serves. `hold`: the
 * same where the lock takes nothing, so that new ones wait, too, also of a source that it does not know.
 */
export type LockMode = 'accept' | 'warn' | 'quarantine' | 'pin' | 'hold';

/** A tool that differs from the lock, with the lines a reviewer reads. */
export interface LockChange {
  readonly tool: string;
  readonly source: string;
  readonly kind: 'added' | 'changed' | 'removed';
  readonly diff: readonly string[];
  /** Set where a person refused this very definition. */
  readonly rejected?: Rejection;
}

export interface LockOutcome {
  /** Tools that wait for acceptance. */
  readonly quarantined: ReadonlySet<string>;
  readonly changes: readonly LockChange[];
  readonly diagnostics: readonly Diagnostic[];
  /** What to store; the very lock that was given when nothing is to be recorded. */
  readonly lock: ToolLock;
}

const DIFF_LINES = 6;
/** A server that has left behind more tools than these adds none by itself: it could fill the lock without end. */
const MAX_FORMER = 2_000;

/**
 * Holds compiled tools against the lock. `accept` records every difference; `warn` names it, and withholds what leads
 * to an origin where no accepted tool of its source led; `quarantine` also withholds all changed tools and new tools of a source that the lock knows. Tools of a source that the lock does not
 * know were configured by the operator just now: they are recorded in every mode. Removed tools stay in the
 * lock unless the mode is `accept`, so that they cannot come back changed; of a source with very many of them, `pin`
 * takes no new ones either. What a person refused is withheld in every mode. `hold` records nothing.
 */
export function applyLock(
  entries: readonly LockEntry[],
  lock: ToolLock,
  mode: LockMode | ((source: string) => LockMode),
  sources: ToolLock['sources'] = {},
  leadingOf: LeadingOf = () => [],
): LockOutcome {
  const changes = compareWithLock(entries, lock);
  const asked = typeof mode === 'function' ? mode : () => mode;
  const former = Map.groupBy(
    changes.filter(({ kind }) => kind === 'removed'),
    ({ source }) => source,
  );
  const isFull = (source: string) => (former.get(source)?.length ?? 0) > MAX_FORMER;
  const modeOf = (source: string): LockMode =>
    asked(source) === 'pin' && isFull(source) ? 'quarantine' : asked(source);
  const unknownSource = (change: LockChange) =>
    change.kind === 'added' &&
    change.rejected === undefined &&
    modeOf(change.source) !== 'hold' &&
    !Object.hasOwn(lock.sources, change.source);
  const newOriginOf = createNewOrigins(entries, lock, leadingOf);
  const waiting = changes.filter((change) => change.kind !== 'removed' && !unknownSource(change));
  const withheld = ({ tool, source, kind, rejected }: LockChange) =>
    rejected !== undefined ||
    ['quarantine', 'hold'].includes(modeOf(source)) ||
    (modeOf(source) === 'pin' && kind === 'changed') ||
    (modeOf(source) === 'warn' && newOriginOf(tool) !== undefined);
  const quarantined = new Set(waiting.filter(withheld).map(({ tool }) => tool));
  const recorded = changes.filter(
    (change) =>
      change.rejected === undefined &&
      (unknownSource(change) ||
        modeOf(change.source) === 'accept' ||
        isPinned(change.kind, modeOf(change.source))),
  );
  return {
    quarantined,
    changes,
    diagnostics: changes
      .filter((change) => modeOf(change.source) === 'accept' || !unknownSource(change))
      .map((change) => findingOf(change, modeOf(change.source), newOriginOf(change.tool))),
    lock: recorded.length === 0 ? lock : record(lock, entries, recorded, sources),
  };
}

/**
 * Takes the current definitions into the lock: one tool's, or all. Without a lock yet, and for a source that the
 * lock does not know, the other tools are recorded too: accepting one tool never withholds another. What a person
 * refused is accepted only by its name.
 * `catalog` is the hash of the catalog, remembered when all of it is accepted. Tools of the sources `away`, which cannot
 * be read now, stay as they are in the lock: changed meanwhile, they would come back as those of a source that it does
 * not know.
 */
export function acceptIntoLock(
  lock: ToolLock | undefined,
  entries: readonly LockEntry[],
  sources: ToolLock['sources'],
  tool?: string,
  { catalog, away = new Set() }: { readonly catalog?: string; readonly away?: ReadonlySet<string> } = {},
): { readonly lock: ToolLock; readonly accepted: readonly string[] } {
  const previous = lock ?? emptyLock();
  const changes = compareWithLock(entries, previous);
  if (tool === undefined) {
    const taken = changes.filter(({ rejected, source }) => rejected === undefined && !away.has(source));
    const { catalog: _previous, ...next } = record(previous, entries, taken, sources);
    const whole = taken.length === changes.length && away.size === 0 && catalog !== undefined;
    const kept = Object.entries(previous.sources).filter(([source]) => away.has(source));
    return {
      lock: { ...next, sources: { ...Object.fromEntries(kept), ...sources }, ...(whole ? { catalog } : {}) },
      accepted: taken.map((change) => change.tool),
    };
  }
  if (!Object.hasOwn(previous.tools, tool) && !entries.some(({ name }) => name === tool)) {
    const meant = didYouMean(
      tool,
      changes.map((change) => change.tool),
    );
    throw new ToolcribError('tool_unknown', `There is no tool ${JSON.stringify(tool)} to accept.${meant}`);
  }
  const recorded = changes.filter(
    (change) =>
      change.tool === tool ||
      (change.kind === 'added' &&
        change.rejected === undefined &&
        !Object.hasOwn(previous.sources, change.source)),
  );
  return {
    lock: recorded.length === 0 && lock !== undefined ? lock : record(previous, entries, recorded, sources),
    accepted: changes.some((change) => change.tool === tool) ? [tool] : [],
  };
}

/** Every difference between compiled tools and the lock, by tool name. */
export function compareWithLock(entries: readonly LockEntry[], lock: ToolLock): LockChange[] {
  const changes: LockChange[] = [];
  const present = new Set<string>();
  for (const entry of entries) {
    present.add(entry.name);
    const locked = Object.hasOwn(lock.tools, entry.name) ? lock.tools[entry.name] : undefined;
    if (locked !== undefined && !differs(entry, locked)) continue;
    const rejected = rejectionOf(lock, entry);
    changes.push({
      tool: entry.name,
      source: entry.source,
      ...(locked === undefined
        ? { kind: 'added', diff: [] }
        : { kind: 'changed', diff: differences(locked, entry) }),
      ...(rejected === undefined ? {} : { rejected }),
    });
  }
  for (const [tool, { source }] of Object.entries(lock.tools)) {
    if (!present.has(tool)) changes.push({ tool, source, kind: 'removed', diff: [] });
  }
  return changes.sort((a, b) => (a.tool < b.tool ? -1 : a.tool > b.tool ? 1 : 0));
}

export function emptyLock(): ToolLock {
  return { version: 1, sources: {}, tools: {} };
}

function differs(entry: LockEntry, locked: LockedTool): boolean {
  if (entry.source !== locked.source || entry.operation !== locked.operation) return true;
  return entry.hash !== locked.hash && !differHarmlessly(locked.definition, entry.definition);
}

/** Same definition from another source or operation is a change too: it carries other credentials. */
function differences(locked: LockedTool, entry: LockEntry): string[] {
  const origin = diffDefinitions(
    { source: locked.source, operation: locked.operation },
    { source: entry.source, operation: entry.operation },
  );
  if (entry.hash === locked.hash) return origin;
  if (locked.definition === undefined) return [...origin, `~ hash: ${locked.hash} → ${entry.hash}`];
  return [...origin, ...diffDefinitions(locked.definition, entry.definition)];
}

function record(
  lock: ToolLock,
  entries: readonly LockEntry[],
  changes: readonly LockChange[],
  sources: ToolLock['sources'],
): ToolLock {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const tools = new Map(Object.entries(lock.tools));
  const known = new Map(Object.entries(lock.sources));
  for (const { tool } of changes) {
    const entry = byName.get(tool);
    if (entry === undefined) {
      tools.delete(tool);
      continue;
    }
    const { operation, source, hash, definition } = entry;
    tools.set(tool, { operation, source, hash, definition });
    known.set(source, sources[source] ?? known.get(source) ?? { fingerprint: '' });
  }
  const { rejected } = lock;
  // what was refused of a tool that is gone may come back with it
  const decided = new Set(changes.filter(({ kind }) => kind !== 'removed').map(({ tool }) => tool));
  const standing = Object.entries(rejected ?? {}).filter(([tool]) => !decided.has(tool));
  return {
    version: 1,
    sources: Object.fromEntries(known),
    tools: Object.fromEntries(tools),
    ...(standing.length === 0 ? {} : { rejected: Object.fromEntries(standing) }),
  };
}

function findingOf(change: LockChange, mode: LockMode, newOrigin: Leading | undefined): Diagnostic {
  const { tool, source, kind, diff, rejected } = change;
  if (rejected !== undefined) {
    const reason = rejected.reason === undefined ? '' : ` (${rejected.reason})`;
    return {
      code: 'tool-rejected',
      severity: 'info',
      message: `A person rejected what tool ${tool} has become${reason}: it is withheld until it changes again or is accepted with \`toolcrib compile --accept ${tool}\`.`,
      source,
    };
  }
  const shown = diff.slice(0, DIFF_LINES).join('; ');
  const more = diff.length > DIFF_LINES ? `; and ${diff.length - DIFF_LINES} more` : '';
  const what = {
    added: `Tool ${tool} is not in the lock.`,
    changed: `Tool ${tool} differs from the lock: ${shown}${more}.`,
    removed: `Tool ${tool} is in the lock, but source ${source} no longer has it.`,
  }[kind];
  return {
    code: `tool-${kind}`,
    severity: mode === 'accept' || kind === 'removed' || isPinned(kind, mode) ? 'info' : 'warning',
    message: `${what} ${consequence(change, mode, newOrigin)}`,
    source,
  };
}

function consequence(
  { tool, source, kind }: LockChange,
  mode: LockMode,
  newOrigin: Leading | undefined,
): string {
  if (mode === 'accept' || isPinned(kind, mode)) return 'The lock was brought up to date.';
  const accept = `\`toolcrib compile --accept ${tool}\``;
  if (kind === 'removed') return `Its locked definition is kept; ${accept} forgets it.`;
  if (newOrigin !== undefined)
    return `${LED[newOrigin.what]} ${newOrigin.origin}, which is new for ${source}: it is withheld until a person accepts it with ${accept}.`;
  return mode === 'warn'
    ? `It is published all the same; ${accept} takes it into the lock.`
    : `It is withheld until a person accepts it with ${accept}.`;
}

const LED: Readonly<Record<Leading['what'], string>> = {
  calls: 'Its calls would go, with the credential, to',
  tokens: 'Its tokens would be asked for, with the secret of the client, at',
};

function isPinned(kind: LockChange['kind'], mode: LockMode): boolean {
  return mode === 'pin' && kind === 'added';
}
