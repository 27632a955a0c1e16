import { open } from 'node:fs/promises';
import { type Egress, EgressFailure, failureCode } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import { IMPORT_LIMITS } from './import-limits.ts';
import { refused, shownUrl } from './refuse.ts';

/** The part of the door that imports use. */
export type Door = Pick<Egress, 'fetch'>;

/**
 * Writes what an address answers into a new file; returns its size in bytes. Rejects with `source_unreadable`,
 * `archive_refused` where it is too large, and what the door refuses.
 */
export async function download(url: string, file: string, door: Door, signal: AbortSignal): Promise<number> {
  return throughDoor(url, signal, async () => {
    const response = await door.fetch(
      url,
      {
        headers: { accept: 'application/zip, application/gzip, application/x-tar, text/markdown, */*;q=0.5' },
        signal,
      },
      transferLimits(IMPORT_LIMITS.archiveBytes),
    );
    await expectOk(response, url);
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
  return body ?? ReadableStream.from<Uint8Array>([]);
}

export function transferLimits(maxBytes: number) {
  const { idleMs, redirects } = IMPORT_LIMITS;
  return { headersTimeoutMs: idleMs, idleTimeoutMs: idleMs, maxRedirects: redirects, maxBytes };
}

export async function expectOk(response: Response, url: string): Promise<void> {
  if (response.ok) return;
  await response.body?.cancel();
  const { status } = response;
  throw new ToolcribError('source_unreadable', `${shownUrl(url)} answered ${status}.`, {
    status,
    ...(status === 401 || status === 403
      ? { next: 'Only public addresses are imported: fetch it yourself and import the file or folder.' }
      : {}),
  });
}

/** Failures of the door as errors for people; its messages name hosts, never whole addresses. */
export async function throughDoor<T>(url: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    if (signal.aborted && signal.reason instanceof ToolcribError) throw signal.reason;
    if (error.kind === 'too_large')
      throw refused(
        `${shownUrl(url)} sends more than ${IMPORT_LIMITS.archiveBytes} bytes.`,
        undefined,
        error,
      );
    throw new ToolcribError(failureCode(error), `Cannot read ${shownUrl(url)}: ${error.message}.`, {
      cause: error,
    });
  }
}

/** The caller's signal, and the most that a transfer may take in all. */
export function transferSignal(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(IMPORT_LIMITS.transferMs)]);
}
