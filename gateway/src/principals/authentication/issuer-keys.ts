import { keysIn } from '../../operations/key-set.ts';

/** Fetches the issuer's keys through the guarded door. */
export type FetchKeys = (
  url: string,
  signal: AbortSignal,
) => Promise<{ readonly status: number; text(): Promise<string> }>;

/** Where an issuer says that its keys are; undefined: it does not say. */
export type DiscoverKeys = (issuer: string, signal: AbortSignal) => Promise<string | undefined>;

/** So long the keys that were fetched last count while newer ones cannot be had, milliseconds. */
const KEPT_MS = 60 * 60_000;
/** So long after a failure nobody makes us ask again. */
const PAUSE_MS = 1_000;

/** The keys of one issuer. */
export interface IssuerKeys {
  /**
   * The text of its key set; where it is, is asked each time. While it cannot be had, the last one counts for an hour:
   * who is signed in stays so. Without one it fails, and whoever shows tokens in that time does not make us ask once
   * for each.
   */
  read(signal: AbortSignal): Promise<string>;
  /** Why the text that was read last is an older one, to which newer keys may have come since. */
  failure(): unknown;
}

export function createIssuerKeys(
  fetch: FetchKeys,
  urlOf: (signal: AbortSignal) => Promise<string>,
  pauseMs = PAUSE_MS,
): IssuerKeys {
  let last: { readonly text: string; readonly at: number } | undefined;
  let failed: { readonly error: unknown; readonly at: number } | undefined;
  const read = async (signal: AbortSignal) => {
    const now = performance.now();
    const kept = last !== undefined && now - last.at < KEPT_MS ? last.text : undefined;
    if (failed !== undefined && now - failed.at < pauseMs) {
      if (kept !== undefined) return kept;
      throw failed.error;
    }
    try {
      const text = await keySetOf(fetch, await urlOf(signal), signal);
      last = { text, at: performance.now() };
      failed = undefined;
      return text;
    } catch (error) {
      failed = { error, at: performance.now() };
      if (kept !== undefined) return kept;
      throw error;
    }
  };
  return { read, failure: () => failed?.error };
}

async function keySetOf(fetch: FetchKeys, url: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(url, signal);
  const text = await answer.text();
  if (answer.status === 200 && keysIn(text) !== undefined) return text;
  throw new Error(`Status ${answer.status} and no key set.`);
}
