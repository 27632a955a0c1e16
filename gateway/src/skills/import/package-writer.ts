import { chmod, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { checkEntryPath, folded, isLeftOut } from './entry-path.ts';
import { IMPORT_LIMITS } from './import-limits.ts';
import { refused } from './refuse.ts';

/** Puts entries of a package into a folder that nobody else writes to: each is checked first, and all are counted. */
export interface PackageWriter {
  /** @param written path as the archive has it */
  folder(written: string): Promise<void>;
  /** Reads `content` to its end or throws. The run bit is all that is kept of a mode. */
  file(written: string, executable: boolean, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/**
 * @param folder absolute, exists
 * @param packedBytes size of the archive, for the bound on how much comes out of it; undefined where nothing was packed
 */
export function createPackageWriter(
  folder: string,
  packedBytes: number | undefined,
  signal: AbortSignal,
): PackageWriter {
  const limits = IMPORT_LIMITS;
  /** By folded path: how it was spelled, and what it is. */
  const known = new Map<string, { readonly path: string; readonly kind: 'file' | 'folder' }>();
  const mostBytes =
    packedBytes === undefined
      ? limits.unpackedBytes
      : Math.min(limits.unpackedBytes, Math.max(limits.ratioFreeBytes, packedBytes * limits.ratio));
  let entries = 0;
  let bytes = 0;

  const count = (written: string): string => {
    signal.throwIfAborted();
    entries += 1;
    if (entries > limits.entries) throw refused(`It has more than ${limits.entries} entries.`);
    return checkEntryPath(written);
  };
  const take = (more: number): void => {
    bytes += more;
    if (bytes <= mostBytes) return;
    throw refused(
      mostBytes < limits.unpackedBytes
        ? `It unpacks to more than ${limits.ratio} times its size.`
        : `It unpacks to more than ${limits.unpackedBytes} bytes.`,
    );
  };
  /** Every folder above is there, under one spelling. */
  const claimFolders = async (path: string): Promise<void> => {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) await claim(path.slice(0, at));
  };
  const claim = async (path: string): Promise<void> => {
    const before = known.get(folded(path));
    if (before === undefined) {
      await mkdir(join(folder, path), { mode: 0o755 });
      known.set(folded(path), { path, kind: 'folder' });
    } else if (before.path !== path) throw collision(path, before.path);
    else if (before.kind === 'file') throw refused('is a file and a folder.', path);
  };

  return {
    async folder(written) {
      const path = count(written);
      if (path === '' || isLeftOut(path)) return;
      await claimFolders(path);
      await claim(path);
    },
    async file(written, executable, content) {
      const path = count(written);
      if (path === '') throw refused('is no name for a file.', written);
      if (/\/$/.test(written)) throw refused('is a file with the name of a folder.', written);
      const leftOut = isLeftOut(path);
      if (!leftOut) {
        await claimFolders(path);
        const before = known.get(folded(path));
        if (before?.path === path) throw refused('is there twice.', path);
        if (before !== undefined) throw collision(path, before.path);
        known.set(folded(path), { path, kind: 'file' });
      }
      let size = 0;
      const target = join(folder, path);
      await using handle = leftOut ? undefined : await open(target, 'wx', 0o600);
      for await (const chunk of content) {
        signal.throwIfAborted();
        size += chunk.byteLength;
        if (size > limits.fileBytes) throw refused(`is larger than ${limits.fileBytes} bytes.`, path);
        take(chunk.byteLength);
        await handle?.writeFile(chunk);
      }
      if (!leftOut) await chmod(target, executable ? 0o755 : 0o644);
    },
  };
}

function collision(path: string, other: string) {
  return refused(`and "${other}" have names that some file systems take for one.`, path);
}
