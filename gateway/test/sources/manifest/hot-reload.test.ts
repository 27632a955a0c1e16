import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfigurationInput, createGateway } from '../../../src/index.ts';
import { itemManifest, manifestWith } from './item-manifest.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-reload-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a manifest file under a running gateway', () => {
  it('is compiled again when it is saved, and kept as it was while it is broken', async () => {
    const file = join(folder, 'items.yaml');
    await writeFile(file, JSON.stringify(itemManifest));
    const sources = { items: { manifest: './items.yaml', credentials: 'none' } } as Record<string, object>;
    const configuration: ConfigurationInput = { store: 'none', stateDirectory: './state', sources };
    const gateway = await createGateway(configuration, { baseDirectory: folder });
    const names = () => gateway.view().tools.map(({ name }) => name);
    try {
      expect(names()).toEqual([
        'item_store_create_item',
        'item_store_delete_item',
        'item_store_get_item',
        'item_store_list_items',
        'item_store_rename_item',
      ]);
      await writeFile(file, JSON.stringify(manifestWith({})));
      await expect.poll(names).toEqual(['item_store_try_it']);
      const failed = async () => (await gateway.events()).some(({ type }) => type === 'source-failed');
      await writeFile(file, 'provider: [');
      await expect.poll(failed).toBe(true);
      expect(names()).toEqual(['item_store_try_it']);
    } finally {
      await gateway.close();
    }
  });
});
