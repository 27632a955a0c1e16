import { lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createEgress } from '../../../src/egress/index.ts';
import { createSkillFetcher, type FetchedPackages } from '../../../src/skills/import/index.ts';
import type { SkillImportSource } from '../../../src/skills/room.ts';

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-import-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Imports into a staging folder of its own, through a door that lets loopback hosts through which are named. */
export async function fetchPackages(
  source: SkillImportSource,
  { allow = [], signal = new AbortController().signal }: { allow?: string[]; signal?: AbortSignal } = {},
): Promise<FetchedPackages> {
  const egress = createEgress({ allow });
  try {
    return await createSkillFetcher({ egress })(source, await temporaryFolder(), signal);
  } finally {
    await egress.close();
  }
}

export const fetchBytes = (bytes: Uint8Array, name = 'package') =>
  fetchPackages({ kind: 'bytes', name, bytes });

/** What the skills hold: content by path, with `*` behind programs. */
export async function contentOf({ folders: found }: FetchedPackages): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for (const folder of found) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const isProgram = ((await lstat(file)).mode & 0o111) !== 0;
      const path = file.slice(folder.length + 1);
      content[`${basename(folder)}/${path}${isProgram ? '*' : ''}`] = await readFile(file, 'utf8');
    }
  }
  return content;
}

/** An archive that is refused whole, with these words. */
export const refuses = async (bytes: Buffer, message: string | RegExp) =>
  expect(fetchBytes(bytes)).rejects.toMatchObject({
    code: 'archive_refused',
    message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
  });
