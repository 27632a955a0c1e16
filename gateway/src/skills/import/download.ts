import { open } from 'node:fs/promises';
import { type Egress, EgressFailure, failureCode } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import { IMPORT_LIMITS } from './import-limits.ts';
import { addressRefused, refused, shownUrl } from './refuse.ts';

/** The part of the door that imports use. */
export type Door = Pick<Egress, 'fetch'>;

/**
 * Writes what an address answers into a new file; returns its size in bytes. Rejects with `source_unreadable`,
 * `archive_refused` where it is too large, and what the door refuses.
 */
export async function download(url: string, file: string, door: Door, signal: AbortSignal): Promise<number> {
  return throughDoor(url, signal, async (transfer) => {
    const response = await door.fetch(
      url,
      {
        headers: { accept: 'application/zip, application/gzip, application/x-tar, text/markdown, */*;q=0.5' },
        signal: transfer,
      },
      transferLimits(IMPORT_LIMITS.archiveBytes),
    );
    expectOk(response, url);
    await using handle = await open(file, 'wx', 0o600);
    let size = 0;
    for await (const chunk of contentOf(response)) {
      size += chunk.byteLength;
      await handle.writeFile(chunk);
    }
    return size;
  });
}

/** The body as it arrives; nothing where there is none. */
export function contentOf({ body }: Response): AsyncIterable<Uint8Array> {
  return body ?? new Blob([]).stream();
}

export function transferLimits(maxBytes: number) {
  const { idleMs, redirects } = IMPORT_LIMITS;
  return { headersTimeoutMs: idleMs, idleTimeoutMs: idleMs, maxRedirects: redirects, maxBytes };
}

/** Throws `source_unreadable` for any status but a good one, `archive_refused` where encryption was given up. */
export function expectOk({ ok, status, url: answered }: Response, url: string): void {
  if (/^https:/i.test(url) && answered.startsWith('http:'))
    throw addressRefused(`${shownUrl(url)} leads to an address without encryption.`);
  if (ok) return;
  throw new ToolcribError('source_unreadable', `${shownUrl(url)} answered ${status}.`, {
    status,
    ...(status === 401 || status === 403
      ? { next: 'Only public addresses are imported: fetch it yourself and import the file or folder.' }
      : {}),
  });
}

/**
 * Does one exchange; what of its answer was not read is given up at its end. Failures of the door become errors for
 * people: its messages name hosts, never whole addresses.
 */
export async function throughDoor<T>(
  url: string,
  signal: AbortSignal,
  exchange: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  try {
    return await exchange(AbortSignal.any([signal, over.signal]));
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    if (error.kind === 'too_large') throw tooMuch(url, error);
    throw new ToolcribError(failureCode(error), `Cannot read ${shownUrl(url)}: ${error.message}.`, {
      cause: error,
    });
  } finally {
    over.abort();
  }
}

function tooMuch(url: string, cause?: unknown): ToolcribError {
  return refused(`${shownUrl(url)} sends more than ${IMPORT_LIMITS.archiveBytes} bytes.`, undefined, cause);
}

/** The caller's signal, and the most that a transfer may take in all. */
export function transferSignal(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(IMPORT_LIMITS.transferMs)]);
}
