import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDirectoryBytes } from '../../src/artifacts/directory-bytes.ts';
import { createIndexedArtifacts } from '../../src/artifacts/indexed-store.ts';
import type { StoreBench } from '../store/support/stores.ts';

/** What several processes do to the artifacts of one store at once. */
export function sharedArtifactCases({ open }: StoreBench): void {
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
