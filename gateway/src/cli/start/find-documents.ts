import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { documentVersion, type FoundVersion } from './document-version.ts';

export interface FoundDocument extends FoundVersion {
  /** Name within the folder. */
  readonly file: string;
}

const MOST_FILES = 50;
/** Bytes of each file that are looked at. */
const HEAD = 64 * 1024;
const LIKELY = /openapi|swagger|\bapi\b/i;

/** OpenAPI and Swagger documents that lie in this very folder, likely names first. Reads a little of each file. */
export async function findDocuments(folder: string): Promise<FoundDocument[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile() && /^[^.].*\.(json|ya?ml)$/i.test(entry.name))
    .map(({ name }) => name)
    .sort((left, right) => Number(LIKELY.test(right)) - Number(LIKELY.test(left)) || (left < right ? -1 : 1))
    .slice(0, MOST_FILES);
  const found: FoundDocument[] = [];
  for (const file of names) {
    const version = documentVersion(await headOf(join(folder, file)));
    if (version !== undefined) found.push({ file, ...version });
  }
  return found;
}

/** Empty for what cannot be read. */
async function headOf(file: string): Promise<string> {
  try {
    await using handle = await open(file, 'r');
    const buffer = Buffer.alloc(HEAD);
    const { bytesRead } = await handle.read(buffer, 0, HEAD, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  }
}
