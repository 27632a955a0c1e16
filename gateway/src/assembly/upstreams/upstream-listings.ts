import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent, writeAtomically } from '../../catalog/lock-files.ts';
import type { UpstreamSettings } from '../../config/settings/upstreams.ts';
import { type ErrorCode, isToolcribError, ToolcribError } from '../../errors.ts';
import { isObject, type UpstreamDefinition, type UpstreamListing } from '../../operations/index.ts';
import { messageOf } from '../../operations/text/message-of.ts';
import type { Upstreams } from '../../upstreams/upstreams.ts';
import { definitionKey } from './definition-key.ts';

export interface KnownListing {
  readonly listing: UpstreamListing;
  /** Set where this is the last known listing: the server has not answered since. */
  readonly stale?: { readonly since: string; readonly message: string };
}

export interface UpstreamListingsOptions {
  readonly upstreams: Pick<Upstreams, 'list' | 'states'>;
  /** Folder for last known listings. */
  readonly directory: string;
  /** A listing came after its start had stopped waiting: the source is to be compiled again. */
  readonly arrived: (source: string) => void;
  readonly report: (error: unknown, what: string) => void;
  /** Milliseconds before a server that runs and cannot list is asked again; doubled each time. */
  readonly retryMs?: number;
}

/** What each upstream server lists: the server's answer where it comes soon, the last known one until it does. */
export interface UpstreamListings {
  /** Throws `upstream_unavailable` when nothing is known yet; `arrived` follows when the server answers. */
  listing(upstream: UpstreamSettings, signal: AbortSignal): Promise<KnownListing>;
  /** Settles when nothing is listed or written any more; later answers are dropped. */
  close(): Promise<void>;
}

/** Bytes of one stored listing. */
const MAX_BYTES = 32 * 1024 * 1024;
const RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** Other failures end with a start of the server, which is told. */
const ASKED_AGAIN: ReadonlySet<ErrorCode> = new Set(['upstream_failed', 'deadline_exceeded', 'rate_limited']);

export function createUpstreamListings(options: UpstreamListingsOptions): UpstreamListings {
  const { upstreams, directory, arrived, report, retryMs = RETRY_MS } = options;
  const ending = new AbortController();
  const late = new Map<string, { readonly key: string; readonly listing: UpstreamListing }>();
  const asking = new Map<string, Question>();
  const retries = new Map<string, Retry>();
  let writing: Promise<unknown> = Promise.resolve();

  const keep = (name: string, key: string, listing: UpstreamListing) => {
    writing = writing
      .then(() => store(directory, name, key, listing))
      .catch((error) => report(error, `The listing of ${name} could not be stored.`));
  };
  /** One question at a time and server; nobody who stops waiting ends it. */
  const ask = (definition: UpstreamDefinition, key: string): Question => {
    const { name } = definition;
    const id = `${name} ${key}`;
    const open = asking.get(id);
    if (open !== undefined) {
      open.isAskedAgain = true;
      return open;
    }
    const question: Question = {
      isLate: false,
      isAskedAgain: false,
      answer: upstreams
        .list(name, ending.signal)
        .then((listing) => withListsOfBefore(listing, () => writing.then(() => read(directory, name, key))))
        .finally(() => asking.delete(id)),
    };
    asking.set(id, question);
    question.answer.then(
      (listing) => {
        if (ending.signal.aborted) return;
        keep(name, key, listing);
        if (listing.missing === undefined) settle(name);
        else askAgain(definition, key);
        if (!question.isLate) return;
        late.set(name, { key, listing });
        arrived(name);
        if (question.isAskedAgain) ask(definition, key).isLate = true;
      },
      (error: unknown) => {
        if (isToolcribError(error) && ASKED_AGAIN.has(error.code)) askAgain(definition, key);
        else settle(name);
      },
    );
    return question;
  };
  /** A refused list may be answered later, and a server that runs tells nobody when. */
  const askAgain = (definition: UpstreamDefinition, key: string) => {
    if (ending.signal.aborted) return;
    const { name } = definition;
    const before = retries.get(name);
    clearTimeout(before?.timer);
    const inMs = before === undefined ? retryMs : Math.min(2 * before.inMs, LONGEST_RETRY_MS);
    const timer = setTimeout(() => {
      ask(definition, key).isLate = true;
    }, inMs);
    timer.unref();
    retries.set(name, { key, timer, inMs });
  };
  const settle = (name: string) => {
    clearTimeout(retries.get(name)?.timer);
    retries.delete(name);
  };

  /** A server that fails is started again meanwhile: why it failed says more than how long it takes. */
  const lastErrorOf = (name: string): string | undefined =>
    upstreams.states().find((state) => state.name === name)?.lastError;

  return {
    async listing({ definition, patienceMs }, signal) {
      const { name } = definition;
      const key = definitionKey(definition);
      if (retries.get(name)?.key !== key) settle(name);
      const known = late.get(name);
      late.delete(name);
      if (known?.key === key) return { listing: known.listing };
      const question = ask(definition, key);
      const first = await within(question.answer, patienceMs, signal);
      if (first.kind === 'listed') return { listing: first.listing };
      if (first.kind === 'late') question.isLate = true;
      const stored = await read(directory, name, key);
      const failure = first.kind === 'late' ? lastErrorOf(name) : messageOf(first.error);
      const message = failure ?? `${name} has not answered within ${patienceMs} ms.`;
      if (stored !== undefined) return { listing: stored.listing, stale: { since: stored.at, message } };
      if (first.kind === 'failed') throw first.error;
      throw new ToolcribError(
        'upstream_unavailable',
        `${message} What it lists is not known from an earlier run.`,
        { next: `It is tried again by itself; \`toolcrib upstream status ${name}\` starts it alone.` },
      );
    },
    async close() {
      ending.abort();
      for (const name of [...retries.keys()]) settle(name);
      await Promise.allSettled([...asking.values()].map(({ answer }) => answer));
      await writing;
    },
  };
}

/** What a server does not list for once does not vanish. */
async function withListsOfBefore(
  listing: UpstreamListing,
  before: () => Promise<StoredListing | undefined>,
): Promise<UpstreamListing> {
  if (listing.missing === undefined) return listing;
  const known = (await before())?.listing;
  const lists = listing.missing.map(({ list }) => [list, known?.[list] ?? listing[list]]);
  return { ...listing, ...Object.fromEntries(lists) };
}

interface StoredListing {
  readonly at: string;
  readonly listing: UpstreamListing;
}

interface Question {
  readonly answer: Promise<UpstreamListing>;
  /** Somebody went on without the answer. */
  isLate: boolean;
  /** Meanwhile the lists may have changed: a part of the answer can be older than that. */
  isAskedAgain: boolean;
}

interface Retry {
  readonly key: string;
  readonly timer: NodeJS.Timeout;
  readonly inMs: number;
}

type Outcome =
  | { readonly kind: 'listed'; readonly listing: UpstreamListing }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'late' };

async function within(
  answer: Promise<UpstreamListing>,
  patienceMs: number,
  signal: AbortSignal,
): Promise<Outcome> {
  signal.throwIfAborted();
  const over = Promise.withResolvers<Outcome>();
  const timer = setTimeout(() => over.resolve({ kind: 'late' }), patienceMs);
  const onAbort = () => over.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([
      over.promise,
      answer.then(
        (listing): Outcome => ({ kind: 'listed', listing }),
        (error: unknown): Outcome => ({ kind: 'failed', error }),
      ),
    ]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

const fileOf = (directory: string, name: string, key: string) => join(directory, `${name}-${key}.json`);

async function store(directory: string, name: string, key: string, listing: UpstreamListing): Promise<void> {
  const text = JSON.stringify({ version: 1, at: new Date().toISOString(), listing });
  if (Buffer.byteLength(text) > MAX_BYTES) return;
  const file = fileOf(directory, name, key);
  await writeAtomically(file, text, 0o600);
  const older = (await readdir(directory)).filter(
    (other) => isOf(other, name) && join(directory, other) !== file,
  );
  await Promise.all(older.map((other) => rm(join(directory, other), { force: true })));
}

function isOf(file: string, name: string): boolean {
  return file.startsWith(`${name}-`) && /^[0-9a-f]{16}\.json$/.test(file.slice(name.length + 1));
}

/** A listing that cannot be read is none: the server will say it again. */
async function read(directory: string, name: string, key: string): Promise<StoredListing | undefined> {
  const text = await readIfPresent(fileOf(directory, name, key)).catch(() => undefined);
  if (text === undefined || text.length > MAX_BYTES) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || value['version'] !== 1 || typeof value['at'] !== 'string') return undefined;
    const { at, listing } = value;
    return isListing(listing) ? { at, listing } : undefined;
  } catch {
    return undefined;
  }
}

function isListing(value: unknown): value is UpstreamListing & { [key: string]: never } {
  if (!isObject(value)) return false;
  const lists = ['tools', 'resources', 'resourceTemplates', 'prompts'].map((list) => value[list]);
  return lists.every((list) => Array.isArray(list) && list.every(isObject));
}
