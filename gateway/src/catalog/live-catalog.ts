import { asToolcribError, ToolcribError } from '../errors.ts';
import type { Diagnostic, EventBody } from '../operations/index.ts';
import { queue } from '../operations/work/queue.ts';
import { buildCatalog, type CatalogPart } from './build.ts';
import type { Catalog } from './catalog.ts';
import { type CatalogChanges, changesBetween } from './changes.ts';
import { SourceReads } from './source-reads.ts';

export interface LiveCatalogOptions {
  /** Names of the sources now, in the order of the configuration. */
  readonly sources: () => readonly string[];
  /** Whether a source comes back by itself after this error: a gateway starts without it. */
  readonly heals?: (source: string, error: ToolcribError) => boolean;
  /** Reads and compiles one source. Rejects when it cannot be read at all. */
  readonly compile: (source: string, signal: AbortSignal) => Promise<CatalogPart>;
  /** The part with the source's settings of now, where these decide nothing about its tools: nothing has to be read. */
  readonly reconnect?: (source: string, part: CatalogPart) => CatalogPart | undefined;
  /** Everything but the sources that shapes the compiled tools; part of the catalog's hash. */
  readonly context: () => string;
  /** Marks entries by the lock, and adds its diagnostics; waits for the details where it has to read operations. */
  readonly review: (catalog: Catalog, details: Promise<unknown>) => Promise<Catalog>;
  readonly record: (event: EventBody) => void;
  readonly changed: (changes: CatalogChanges, catalog: Catalog) => void;
}

/**
 * The catalog that is served now. Sources are compiled one by one and the whole snapshot is swapped at once;
 * a source that fails keeps its last good state. Calls that already hold a snapshot finish on it.
 */
export class LiveCatalog {
  /** How the last attempt to read each source went. */
  readonly reads = new SourceReads();
  readonly #options: LiveCatalogOptions;
  readonly #parts = new Map<string, CatalogPart>();
  readonly #failures = new Map<string, Diagnostic>();
  readonly #abort = new AbortController();
  /** One after the other: of two swaps at a time, the one with the older parts could end last and stay. */
  readonly #inTurn = queue();
  /** Of each source: what was begun with older settings never ends last. */
  readonly #turns = new Map<string, ReturnType<typeof queue>>();
  #started: Promise<unknown> = Promise.resolve();
  #current: Catalog | undefined;

  constructor(options: LiveCatalogOptions) {
    this.#options = options;
  }

  /** The served snapshot; before `start` has ended there is none. */
  get current(): Catalog {
    if (this.#current === undefined)
      throw new ToolcribError('internal', 'The catalog was asked for before it was built.');
    return this.#current;
  }

  /** The same, where there is one already. */
  get built(): Catalog | undefined {
    return this.#current;
  }

  /**
   * Compiles every source, in parallel. Rejects only when no source could be read at all. `listable` is called once
   * `current` can be listed, which may be before its operations can be read. Refreshes asked for meanwhile come after it.
   */
  start(listable?: () => void): Promise<void> {
    const started = this.#inTurn(() => this.#start(listable));
    this.#started = started.catch(() => undefined);
    return started;
  }

  async #start(listable: (() => void) | undefined): Promise<void> {
    const sources = this.#options.sources();
    this.#requireOne(await Promise.all(sources.map((name) => this.#compile(name))), sources);
    const details = this.#details();
    const listing = this.#swap(details).then(listable);
    listing.catch(() => undefined);
    const outcomes = await Promise.all(sources.map((name) => this.#complete(name)));
    this.#requireOne(outcomes, sources);
    if (outcomes.some((error) => error !== undefined)) {
      await listing.catch(() => undefined);
      await this.#swap();
    } else await listing;
  }

  /** Throws the first failure when nothing but failures is there, and none of them mends itself. */
  #requireOne(outcomes: readonly (ToolcribError | undefined)[], sources: readonly string[]): void {
    const failed = outcomes.find((error) => error !== undefined);
    const hope = sources.some((name, index) => {
      const error = outcomes[index];
      return this.#parts.has(name) || (error !== undefined && this.#options.heals?.(name, error) === true);
    });
    if (failed !== undefined && !hope) throw failed;
  }

  /** Settles when the operations of every source can be read, or some never will. */
  #details(): Promise<unknown> {
    const details = Promise.all([...this.#parts.values()].map((part) => part.details));
    details.catch(() => undefined);
    return details;
  }

  /** Waits for the rest of a source; without it the source has failed. */
  async #complete(name: string): Promise<ToolcribError | undefined> {
    const part = this.#parts.get(name);
    if (part?.details === undefined) return undefined;
    const { details, ...whole } = part;
    try {
      await details;
      this.#parts.set(name, whole);
      return undefined;
    } catch (thrown) {
      const error = asToolcribError(thrown);
      this.#parts.delete(name);
      this.#keepLastGood(name, error);
      return error;
    }
  }

  /** Compiles one source, or all, again and swaps the snapshot. A source that is read slowly holds up no other's change. */
  async refresh(source?: string): Promise<void> {
    await this.#started;
    const known = this.#options.sources();
    const names = source === undefined ? known : known.filter((name) => name === source);
    await Promise.all(
      names.map((name) =>
        this.#inTurnOf(name, async () => {
          if (this.#isThere(name)) await this.#compile(name);
        }),
      ),
    );
    await this.#whileOpen(() => this.#swap());
  }

  /** Sources were added, changed or removed: compiles the former, forgets the latter, swaps once. */
  replace(changed: readonly string[], removed: readonly string[]): Promise<void> {
    return this.#whileOpen(async () => {
      for (const name of removed) {
        this.#forget(name);
        // what is being read of it ends later, maybe when another source has its name
        void this.#inTurnOf(name, async () => this.#forget(name));
      }
      await Promise.all(changed.map((name) => this.#inTurnOf(name, () => this.#change(name))));
      await this.#swap();
    });
  }

  #forget(name: string): void {
    this.#parts.delete(name);
    this.#failures.delete(name);
    this.reads.forget(name);
  }

  #inTurnOf(name: string, work: () => Promise<void>): Promise<void> {
    const turn = this.#turns.get(name) ?? queue();
    this.#turns.set(name, turn);
    return turn(work);
  }

  #isThere(name: string): boolean {
    return !this.#abort.signal.aborted && this.#options.sources().includes(name);
  }

  /** A credential that is taken back is not used until the source can be read. */
  async #change(name: string): Promise<void> {
    const part = this.#parts.get(name);
    const reconnected = part && this.#options.reconnect?.(name, part);
    if (reconnected !== undefined) this.#parts.set(name, reconnected);
    if (reconnected === undefined || this.#failures.has(name)) await this.#compile(name);
  }

  /** Builds the snapshot again from what is known, e.g. after the lock changed. */
  review(): Promise<void> {
    return this.#whileOpen(() => this.#swap());
  }

  /** Nothing is read, swapped or recorded from then on. */
  async close(): Promise<void> {
    this.#abort.abort();
    await Promise.all([...this.#turns.values()].map((turn) => turn(async () => undefined)));
    await this.#inTurn(async () => undefined);
  }

  /** Servers and other processes tell of changes until they are closed too. */
  #whileOpen(work: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#abort.signal.aborted) await work();
    });
  }

  async #compile(name: string): Promise<ToolcribError | undefined> {
    this.reads.begin(name);
    try {
      const part = await this.#options.compile(name, this.#abort.signal);
      if (this.#current !== undefined) await part.details;
      if (!this.#isThere(name)) return undefined;
      const recovered = this.#failures.delete(name) && this.#current !== undefined;
      this.#parts.set(name, part);
      this.reads.end(name);
      if (recovered)
        this.#options.record({
          type: 'source-recovered',
          source: name,
          message: `Source ${name} was read again.`,
        });
      return undefined;
    } catch (thrown) {
      const error = asToolcribError(thrown);
      // what was not read to the end has not failed
      if (this.#isThere(name)) this.#keepLastGood(name, error);
      return error;
    }
  }

  #keepLastGood(name: string, error: ToolcribError): void {
    this.reads.end(name, error);
    const last = this.#parts.get(name);
    const kept = last === undefined ? 'It has no tools until it can be read.' : 'Its last good tools stay.';
    const message = `Source ${name} could not be read: ${error.message} ${kept}`;
    const known = this.#failures.get(name)?.message === message;
    this.#failures.set(name, {
      code: 'source-failed',
      severity: 'error',
      message,
      source: name,
      ...(error.pointer === undefined ? {} : { pointer: error.pointer }),
      ...(error.location === undefined ? {} : { location: error.location }),
      next: error.next,
    });
    if (last !== undefined) {
      this.#parts.set(name, { ...last, stale: { since: new Date().toISOString(), message: error.message } });
    }
    // a source that is asked again every minute says the same each time
    if (!known) this.#options.record({ type: 'source-failed', source: name, message });
  }

  async #swap(details: Promise<unknown> = this.#details()): Promise<void> {
    const parts = this.#options
      .sources()
      .map((name) => this.#parts.get(name))
      .filter((part) => part !== undefined);
    const built = buildCatalog(parts, this.#options.context());
    const failures = [...this.#failures.values()];
    const next = await this.#options.review(
      failures.length === 0
        ? built
        : Object.freeze({ ...built, diagnostics: [...built.diagnostics, ...failures] }),
      details,
    );
    const before = this.#current;
    this.#current = next;
    if (before === undefined) return;
    const changes = changesBetween(before, next);
    if (changes.any) this.#options.changed(changes, next);
  }
}
