import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { createListeners } from './listeners.ts';
import { storeError } from './store-errors.ts';

/** How often the file is looked at while somebody listens, milliseconds. */
const POLL_MS = 200;

/** Raised with every other scope, so that one row says whether any was. */
export const ANY_SCOPE = '*';

/**
 * A second, reading connection that sees what everybody committed, this process included, and never the inside of a
 * transaction that this process has open.
 */
export class SqliteWatch {
  readonly #requireFile: () => void;
  readonly #database: DatabaseSync;
  readonly #version: StatementSync;
  readonly #revision: StatementSync;
  readonly #revisions: StatementSync;
  readonly #lastSequence: StatementSync;
  readonly #asked = new Map<string, number>();
  #askedAt = -1;
  #polledAt = -1;
  #any = 0;
  #last = 0;
  #lost = false;
  #known = new Map<string, number>();
  readonly #changes = createListeners<string>(() => this.#begin());
  readonly #appends = createListeners<void>(() => this.#begin());
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param requireFile throws where the file at that path is not the open one any more */
  constructor(file: string, requireFile: () => void) {
    this.#requireFile = requireFile;
    this.#database = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
    this.#version = this.#database.prepare('pragma data_version');
    this.#revision = this.#database.prepare('select revision from revisions where scope = ?');
    this.#revisions = this.#database.prepare('select scope, revision from revisions');
    this.#lastSequence = this.#database.prepare('select max(sequence) as last from events');
  }

  /** As committed now. Throws `store_unavailable`. */
  revision(scope: string): number {
    try {
      this.#requireFile();
      const version = this.#dataVersion();
      if (version !== this.#askedAt) {
        this.#asked.clear();
        this.#askedAt = version;
      }
      let revision = this.#asked.get(scope);
      if (revision === undefined) {
        revision = (this.#revision.get(scope)?.['revision'] as number | undefined) ?? 0;
        this.#asked.set(scope, revision);
      }
      return revision;
    } catch (error) {
      throw storeError(error);
    }
  }

  onChange(listener: (scope: string) => void): () => void {
    return this.#changes.add(listener);
  }

  onAppend(listener: () => void): () => void {
    return this.#appends.add(listener);
  }

  /** What this process changed is told at once and not again. */
  tell(raised: ReadonlyMap<string, number>): void {
    for (const [scope, revision] of raised) {
      if (scope === ANY_SCOPE) continue;
      this.#known.set(scope, revision);
      this.#changes.tell(scope);
    }
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#database.close();
  }

  #dataVersion(): number {
    return this.#version.get()!['data_version'] as number;
  }

  /** Somebody listens: what is there now is known. */
  #begin(): () => void {
    if (this.#timer === undefined && !this.#closed) {
      this.#polledAt = this.#dataVersion();
      this.#any = this.#revisionOfAny();
      this.#known = this.#allRevisions();
      this.#last = this.#newest();
      this.#timer = setInterval(() => this.#poll(), POLL_MS).unref();
    }
    return () => {
      if (this.#changes.size + this.#appends.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #poll(): void {
    try {
      const version = this.#dataVersion();
      if (version === this.#polledAt && !this.#lost) return;
      this.#polledAt = version;
      this.#tellAppends();
      this.#tellChanges();
      if (this.#lost) this.#changes.tell('*');
      this.#lost = false;
    } catch {
      // whoever asks for a revision hears of the fault; listeners hear when the file can be read again
      this.#lost = true;
    }
  }

  #tellAppends(): void {
    const last = this.#newest();
    if (last === this.#last && !this.#lost) return;
    this.#last = last;
    this.#appends.tell();
  }

  #tellChanges(): void {
    const any = this.#revisionOfAny();
    if (any === this.#any) return;
    this.#any = any;
    const known = this.#known;
    this.#known = this.#allRevisions();
    for (const [scope, revision] of this.#known) {
      if (scope !== ANY_SCOPE && revision !== known.get(scope)) this.#changes.tell(scope);
    }
  }

  #newest(): number {
    return (this.#lastSequence.get()?.['last'] as number | null) ?? 0;
  }

  #revisionOfAny(): number {
    return (this.#revision.get(ANY_SCOPE)?.['revision'] as number | undefined) ?? 0;
  }

  #allRevisions(): Map<string, number> {
    const rows = this.#revisions.all() as Array<{ scope: string; revision: number }>;
    return new Map(rows.map(({ scope, revision }) => [scope, revision]));
  }
}
