import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDirectoryBytes } from '../../src/artifacts/directory-bytes.ts';
import { createIndexedArtifacts } from '../../src/artifacts/indexed-store.ts';
import type { StoreBench } from '../store/support/stores.ts';

/** Where a process dies that stores an output. */
const DEATHS = ['in the middle of its bytes', 'between writing and publishing'] as const;
/** Longer than a write may take, milliseconds. */
const HOUR = 60 * 60 * 1000 + 1;
const SAME = { content: Buffer.from('same'), description: { mimeType: 'text/plain', name: 'same.txt' } };

/** What several processes do to the artifacts of one store at once. */
export function sharedArtifactCases({ open }: StoreBench): void {
  it.each(
    DEATHS.flatMap((death) => [
      { death, beside: 'alone', others: 0 },
      { death, beside: 'before another stores the same', others: 1 },
      { death, beside: 'after another stored the same, which has expired', others: -1 },
    ]),
  )('nothing is left of a process that dies $death, $beside', async ({ death, others }) => {
    const directory = await mkdtemp(join(tmpdir(), 'toolcrib-shared-'));
    let time = 1_000_000;
    const stored = createDirectoryBytes(directory);
    const parts = { limits: { maxAgeMs: 10 * HOUR }, now: () => time };
    const kept = createIndexedArtifacts({ store: await open(), bytes: stored, ...parts });
    const put = () => kept.put(SAME.content, SAME.description);
    const [reached, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    async function* half() {
      yield SAME.content.subarray(0, 2);
      reached.resolve();
      await ends.promise;
    }
    const write: typeof stored.write = async (name, bytes, ...rest) => {
      // what a file takes, though the type of all places knows bytes alone
      if (death === DEATHS[0]) await stored.write(name, half() as unknown as Uint8Array, ...rest);
      await stored.write(name, bytes, ...rest);
      reached.resolve();
      await ends.promise;
    };
    try {
      if (others < 0) {
        await put();
        time += 10 * HOUR;
      }
      const dying = createIndexedArtifacts({ store: await open(), bytes: { ...stored, write }, ...parts });
      const never = dying.put(SAME.content, SAME.description).catch(() => undefined);
      await reached.promise;
      if (others > 0) await put();
      time += HOUR;
      await kept.sweep();
      expect(await kept.list()).toHaveLength(Math.max(0, others));
      expect(await readdir(directory)).toHaveLength(Math.max(0, others));
      ends.reject(new Error('only so that the test ends'));
      await never;
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('the same output is stored by several at once where it had expired, and is kept once', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'toolcrib-shared-'));
    try {
      let time = Date.now();
      const stores = await Promise.all([open(), open(), open()]);
      const processes = stores.map((store) =>
        createIndexedArtifacts({
          store,
          bytes: createDirectoryBytes(directory),
          limits: { maxAgeMs: 1_000 },
          now: () => time,
        }),
      );
      for (let round = 0; round < 5; round++) {
        const put = await Promise.all(
          processes.flatMap((one) =>
            [1, 2].map(() => one.put(Buffer.from('same'), { mimeType: 'text/plain', name: 'same.txt' })),
          ),
        );
        const { bytes } = (await processes[0]!.get(put[0]!.id))!;
        expect(Buffer.from(bytes).toString()).toBe('same');
        time += 2_000;
      }
      for (const one of processes) await one.sweep();
      expect(await readdir(directory)).toEqual([]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
}
