import { definitionOf } from '../../catalog/build.ts';
import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts';
import { readIfPresent, writeAtomically } from '../../catalog/lock-files.ts';
import type { LockChange, LockEntry, LockMode, ToolLock } from '../../compiler/lock.ts';
import type { LockConfiguration } from '../../config/configuration.ts';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import type { Diagnostic, EventBody } from '../../operations/index.ts';
import { queue } from '../../operations/work/queue.ts';
import { leadingIn } from './leading.ts';

export interface LockReview {
  /**
   * The catalog with changed definitions marked, and the lock's findings among its diagnostics. Its operations are
   * read only once `details` has resolved.
   */
  review(catalog: Catalog, details?: Promise<unknown>): Promise<Catalog>;
  /** Takes the current definitions into the lock: one tool's, or all. Names the tools that changed. */
  accept(catalog: Catalog, tool?: string): Promise<readonly string[]>;
  /** Refuses what a tool has become. Throws `tool_unknown`, `record_conflict` where it has not changed. */
  reject(catalog: Catalog, tool: string, reason?: string): Promise<void>;
  /** What differs from the lock now, with the definitions that it holds; empty where there is no lock. */
  drift(catalog: Catalog): Promise<LockDrift>;
}

/** Differences between the catalog and the lock. */
export interface LockDrift {
  readonly changes: readonly LockChange[];
  /** Accepted definitions by tool. */
  readonly locked: ToolLock['tools'];
}

/** Puts a lock in the place of the one that was read. Throws `OUTDATED`, `file_unusable`. */
type Save = (lock: ToolLock) => Promise<void>;
/** Another process has written the lock since it was read. */
const OUTDATED = Symbol('the lock is another one by now');

/** Withheld tools that one review tells by name; of the others it tells how many. */
const MAX_TOLD = 50;
/** Beyond these it is forgotten which were told: a server can make up names without end. */
const MAX_ANNOUNCED = 50_000;

/**
 * Holds the served catalog against `toolcrib.lock.json`. Without a lock file everything is as it is: the file
 * comes into being by `toolcrib compile --out` or by accepting.
 * @param configured names of the sources now: those of them that the catalog does not have cannot be read
 */
export function createLockReview(
  configuration: LockConfiguration,
  record: (event: EventBody) => void,
  configured: () => readonly string[] = () => [],
): LockReview {
  /** Which definition of a tool was told to be withheld, by its hash. */
  const announced = new Map<string, string | undefined>();
  const parsed = async (text: string | undefined): Promise<ToolLock | undefined> => {
    if (text === undefined) return undefined;
    const { parseLock } = await import('../../compiler/lock-file.ts');
    return parseLock(text, configuration.file);
  };
  const load = async () => parsed(await readIfPresent(configuration.file));
  const inTurn = queue();
  /**
   * One after the other, and again where another process wrote the file meanwhile: each reads it and puts another in its
   * place, so that what one person rejected, another's acceptance would bring back.
   */
  const change = <T>(work: (written: ToolLock | undefined, save: Save) => Promise<T>): Promise<T> =>
    inTurn(async () => {
      for (;;) {
        const text = await readIfPresent(configuration.file);
        const save: Save = async (lock) => {
          const { serializeLock } = await import('../../compiler/lock-file.ts');
          const next = serializeLock(lock);
          if ((await readIfPresent(configuration.file)) !== text) throw OUTDATED;
          await writeAtomically(configuration.file, next);
        };
        try {
          return await work(await parsed(text), save);
        } catch (error) {
          if (error !== OUTDATED) throw error;
        }
      }
    });
  const announce = (catalog: Catalog, quarantined: ReadonlySet<string>) => {
    const hashOf = (tool: string) => catalog.byTool(tool)?.hash;
    const isTold = (tool: string) => announced.has(tool) && announced.get(tool) === hashOf(tool);
    const fresh = [...quarantined].filter((tool) => !isTold(tool));
    if (announced.size > MAX_ANNOUNCED) announced.clear();
    for (const tool of fresh) announced.set(tool, hashOf(tool));
    const sourceOf = (tool: string) => catalog.byTool(tool)?.source ?? '';
    const type = 'tool-quarantined';
    for (const tool of fresh.slice(0, MAX_TOLD)) {
      const message = `Tool ${tool} differs from the lock and waits for acceptance.`;
      record({ type, source: sourceOf(tool), tool, message });
    }
    for (const [source, tools] of Map.groupBy(fresh.slice(MAX_TOLD), sourceOf)) {
      const message = `${tools.length} more tools of ${source} differ from the lock and wait for acceptance.`;
      record({ type, source, message });
    }
  };
  return {
    async review(catalog, details) {
      const foreign = new Set(catalog.sources.filter(({ kind }) => kind === 'mcp').map(({ name }) => name));
      const isAsAccepted = (lock: ToolLock | undefined) =>
        lock === undefined ? foreign.size === 0 : unchanged(catalog, lock);
      if (isAsAccepted(await load())) return catalog;
      await details;
      return change(async (written, save) => {
        if (isAsAccepted(written)) return catalog;
        const { applyLock, emptyLock } = await import('../../compiler/lock.ts');
        const lock = written ?? emptyLock();
        // without a lock file only what other people serve is remembered
        const entries = lockEntries(catalog).filter(
          ({ source }) => written !== undefined || foreign.has(source),
        );
        const modeOf = (source: string): LockMode =>
          configuration.isDefault && foreign.has(source) ? 'pin' : configuration.mode;
        const sources = lockSources(catalog);
        const reviewed = (quarantined: ReadonlySet<string>, diagnostics: readonly Diagnostic[]) => {
          announce(catalog, quarantined);
          return withReview(catalog, quarantined, diagnostics);
        };
        const leadingOf = leadingIn(catalog);
        const outcome = applyLock(entries, lock, modeOf, sources, leadingOf);
        const unwritten =
          outcome.lock === lock ? undefined : await whyUnwritable(save(outcome.lock), written);
        if (unwritten === undefined) return reviewed(outcome.quarantined, outcome.diagnostics);
        const held = applyLock(entries, lock, (source) => READ_ONLY[modeOf(source)], sources, leadingOf);
        const isWithheld = [...held.quarantined].some((tool) => !outcome.quarantined.has(tool));
        return reviewed(held.quarantined, [lockUnwritable(unwritten, isWithheld), ...held.diagnostics]);
      });
    },
    accept: (catalog, tool) =>
      change(async (written, save) => {
        const { acceptIntoLock } = await import('../../compiler/lock.ts');
        const sources = lockSources(catalog);
        const away = new Set(configured().filter((source) => !Object.hasOwn(sources, source)));
        const { lock, accepted } = acceptIntoLock(written, lockEntries(catalog), sources, tool, {
          catalog: catalog.hash,
          away,
        });
        await save(lock);
        for (const name of accepted) announced.delete(name);
        return accepted;
      }),
    reject: (catalog, tool, reason) =>
      change(async (written, save) => {
        if (written === undefined)
          throw new ToolcribError('record_conflict', 'There is no lock that a tool could differ from.', {
            next: 'Write one with `toolcrib compile --out`, or accept the definitions as they are.',
          });
        const { rejectInLock } = await import('../../compiler/reject-in-lock.ts');
        const rejection = { at: new Date().toISOString(), ...(reason === undefined ? {} : { reason }) };
        await save(rejectInLock(written, lockEntries(catalog), tool, rejection));
        record({
          type: 'tool-quarantined',
          source: catalog.byTool(tool)?.source ?? '',
          tool,
          message: `A person rejected what tool ${tool} has become: it stays withheld.`,
        });
        announced.set(tool, catalog.byTool(tool)?.hash);
      }),
    async drift(catalog) {
      const lock = await load();
      if (lock === undefined || unchanged(catalog, lock)) return { changes: [], locked: {} };
      const { compareWithLock } = await import('../../compiler/lock.ts');
      return { changes: compareWithLock(lockEntries(catalog), lock), locked: lock.tools };
    },
  };
}

/** What becomes of each mode where the lock takes nothing: what cannot be pinned would be new at each start. */
const READ_ONLY: Readonly<Record<LockMode, LockMode>> = Object.freeze({
  accept: 'warn',
  warn: 'warn',
  quarantine: 'hold',
  pin: 'hold',
  hold: 'hold',
});

/**
 * Why a lock that is there cannot be written, such as one that lies in a read-only folder; undefined where it was
 * written. Throws what else goes wrong, and where there is none that could be held against.
 */
async function whyUnwritable(
  writing: Promise<void>,
  written: ToolLock | undefined,
): Promise<ToolcribError | undefined> {
  try {
    await writing;
    return undefined;
  } catch (error) {
    if (written === undefined || !isToolcribError(error) || error.code !== 'file_unusable') throw error;
    return error;
  }
}

/** Which of both it is depends on the modes: `warn` and `accept` withhold nothing. */
function lockUnwritable(why: ToolcribError, isWithheld: boolean): Diagnostic {
  const consequence = isWithheld
    ? 'What it would pin is withheld instead'
    : 'Nothing is withheld for that, and nothing is recorded';
  const message = `${why.message} ${consequence}; accept it where the lock can be written, or name another place with \`lock.file\`.`;
  return { code: 'lock-unwritable', severity: 'warning', message };
}

export function lockEntries(catalog: Catalog): LockEntry[] {
  return catalog.entries.map((entry) => ({
    name: entry.name,
    source: entry.source,
    operation: entry.facts.id,
    definition: definitionOf(entry),
    hash: entry.hash,
  }));
}

function lockSources(catalog: Catalog): Record<string, { fingerprint: string }> {
  return Object.fromEntries(catalog.sources.map(({ name, fingerprint }) => [name, { fingerprint }]));
}

/** Same inputs, same compiler, same definitions: then there is no need to hash thousands of tools. */
function unchanged(catalog: Catalog, lock: ToolLock): boolean {
  return lock.catalog === catalog.hash;
}

function withReview(
  catalog: Catalog,
  quarantined: ReadonlySet<string>,
  diagnostics: Catalog['diagnostics'],
): Catalog {
  if (quarantined.size === 0 && diagnostics.length === 0) return catalog;
  const mark = (entry: CatalogEntry): CatalogEntry =>
    quarantined.has(entry.name)
      ? Object.create(entry, { quarantined: { value: true, enumerable: true } })
      : entry;
  const entries = catalog.entries.map(mark);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return Object.freeze({
    ...catalog,
    entries,
    byTool: (name: string) => byName.get(catalog.byTool(name)?.name ?? name),
    diagnostics: [...catalog.diagnostics, ...diagnostics],
  });
}
