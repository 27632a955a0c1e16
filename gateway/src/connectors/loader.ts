import { asToolcribError, isToolcribError, type ToolcribError } from '../errors.ts';
import type { AzureSettings } from '../operations/index.ts';
import { untilAborted } from '../operations/work/until-aborted.ts';
import type { ArmClient } from './arm-client.ts';
import type { ArmPaths } from './arm-paths.ts';
import type { Clock } from './clock.ts';
import { type ArmConnection, readConnection } from './connections.ts';
import type { DocumentFetches } from './document-fetches.ts';
import type { Known } from './known.ts';
import { LIST_CONNECTIONS } from './list-connections.ts';
import { listAll } from './list-pages.ts';

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** A list that our own writes overtook is asked for again, this often at most. */
const MAX_LISTS = 3;

export interface LoaderOptions {
  readonly settings: AzureSettings;
  readonly client: ArmClient;
  readonly paths: ArmPaths;
  readonly known: Known;
  readonly documents: DocumentFetches;
  readonly clock: Clock;
  readonly life: AbortSignal;
  /** What is known has changed. */
  changed(): void;
  report(error: unknown, what: string): void;
}

/** Keeps what is known of the resource group up to date. */
export interface Loader {
  /** Begins, once, to load in the background and to go on doing so. Resolves with the end of the first load. */
  start(): Promise<void>;
  /** Lists the connections now; documents that are missing follow in the background. Throws ToolcribError. */
  list(signal: AbortSignal): Promise<readonly ArmConnection[]>;
  /** Lists them and fetches every document again, or only those that are missing. Throws as `list`. */
  load(which: 'everything' | 'missing', signal: AbortSignal): Promise<void>;
  /** Why the connections could not be listed the last time. */
  problem(): ToolcribError | undefined;
  close(): void;
}

export function createLoader(options: LoaderOptions): Loader {
  const { settings, client, paths, known, documents, clock, life, changed, report } = options;
  let first: Promise<void> | undefined;
  let problem: ToolcribError | undefined;
  let reported: string | undefined;
  let failures = 0;
  let asked = 0;
  let applied = 0;
  let cancel: (() => void) | undefined;

  const list = async (signal: AbortSignal): Promise<readonly ArmConnection[]> => {
    for (let attempt = 1; ; attempt++) {
      const turn = ++asked;
      const { edits } = known;
      const entries = await listAll(
        client,
        { method: 'GET', path: paths.connections },
        LIST_CONNECTIONS,
        signal,
      );
      const connections = entries.flatMap((entry) => readConnection(entry, paths, settings) ?? []);
      if (edits !== known.edits && attempt < MAX_LISTS) continue;
      // the answer of a list that was asked for later may be here already
      if (turn > applied) {
        applied = turn;
        known.listed(connections);
        changed();
      }
      return connections;
    }
  };

  const listOrSayWhy = async (signal: AbortSignal) => {
    try {
      const connections = await list(signal);
      problem = undefined;
      reported = undefined;
      return connections;
    } catch (error) {
      // who went away learns nothing of the list
      if (life.aborted || signal.aborted) throw error;
      const cause = asToolcribError(error);
      problem = cause;
      const kind = `${cause.code} ${cause.status ?? ''}`;
      if (kind !== reported) report(cause, 'its connections cannot be listed; it is tried again');
      reported = kind;
      throw cause;
    }
  };

  const load: Loader['load'] = async (which, signal) => {
    try {
      await listOrSayWhy(signal);
      const apis = known.apis().filter(({ api }) => which === 'everything' || isMissing(api));
      await untilAborted(Promise.all(apis.map((api) => documents.fetch(api))), signal);
    } finally {
      schedule();
    }
  };
  const isMissing = (api: string) =>
    known.documentOf(api) === undefined || known.problemOf(api) !== undefined;

  const schedule = () => {
    if (first === undefined || life.aborted) return;
    cancel?.();
    const failing = problem !== undefined || known.apis().some(({ api }) => isMissing(api));
    failures = failing ? failures + 1 : 0;
    const waitMs = failing
      ? Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), LONGEST_RETRY_MS)
      : settings.refreshMs;
    if (waitMs > 0)
      cancel = clock.after(Math.max(waitMs, client.restMs()), () => void inBackground('missing'));
  };

  const inBackground = async (which: 'everything' | 'missing') => {
    try {
      await load(which, life);
    } catch (error) {
      // told already where it is of the list; anything else is a fault of ours
      if (!isToolcribError(error) && !life.aborted) report(error, 'its connections could not be loaded');
    }
  };

  return {
    start() {
      // what lies on disk may be old: the first load fetches everything
      first ??= Promise.resolve().then(() => inBackground('everything'));
      return first;
    },
    async list(signal) {
      const connections = await listOrSayWhy(signal);
      for (const connection of known.apis()) if (isMissing(connection.api)) void documents.fetch(connection);
      return connections;
    },
    load,
    problem: () => problem,
    close: () => cancel?.(),
  };
}
