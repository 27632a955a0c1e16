import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ToolcribError } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { renameFile } from '../files/rename-file.ts';
import { syncFolder } from '../files/sync-folder.ts';
import type { ArtifactBytes } from './artifact-bytes.ts';
import { encodeHead, readHead } from './artifact-file.ts';
import { fileStream } from './file-stream.ts';

/**
 * One file an artifact, made when first needed, readable by its owner alone. Processes may share the directory.
 * @param apart where several write the same name: what sets a write apart from others, anew each time
 */
export function createDirectoryBytes(directory: string, apart: () => string = () => ''): ArtifactBytes {
  const pathOf = (name: string) => join(directory, name);
  const writingOf = (name: string, by = '') => pathOf(`.${name}${by}.writing`);
  return {
    async write(name, bytes, description, hash) {
      try {
        await makeFolder(directory);
        await writeDurably(writingOf(name, apart()), pathOf(name), encodeHead(description, hash), bytes);
      } catch (cause) {
        const reason = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
        throw new ToolcribError('store_unavailable', `An artifact cannot be written (${reason}).`, {
          next: 'Make room, or let the gateway write to the folder of `artifacts.store`; without it, `artifacts` in the state directory.',
          cause,
        });
      }
    },
    async has(name) {
      const file = await open(pathOf(name), 'r').catch(absent);
      await file?.close();
      return file !== undefined;
    },
    stream: (name, size, range) =>
      fileStream(
        async () => {
          const file = await open(pathOf(name), 'r').catch(absent);
          const head = file && (await readHead(file).catch(() => undefined));
          if (file !== undefined && head !== undefined) return { file, offset: head.offset };
          await file?.close();
          throw new ToolcribError('not_found', 'The bytes of the artifact are not in its folder any more.', {
            next: 'Call the operation again; somebody removed the file from the folder of `artifacts.store`.',
          });
        },
        range ?? { first: 0, last: size - 1 },
      ),
    async remove(name) {
      // of a process that died while it wrote
      await rm(writingOf(name), { force: true });
      await rm(pathOf(name), { force: true });
    },
  };
}

/** Written, fsynced, renamed, directory fsynced: under its name an artifact is always whole. */
async function writeDurably(
  temporary: string,
  path: string,
  head: Uint8Array,
  bytes: Uint8Array,
): Promise<void> {
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(head);
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await renameFile(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

export function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
