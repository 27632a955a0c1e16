import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../../../src/index.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../../src/operations/index.ts';
import { bootstrap, createDirectory } from '../../../src/principals/index.ts';
import { openStore } from '../../../src/store/open-store.ts';

let folder: string;
let gateway: Gateway;
let principal: Principal;
let disable: () => Promise<unknown>;
let closeStore: () => Promise<void>;
const request = () => ({ principal });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-readable-'));
  const store = await openStore(`sqlite:${join(folder, 'team.db')}`);
  const { user, organisation } = await bootstrap(store, {
    organisation: { name: 'Acme' },
    user: { name: 'Ann' },
    defaults: { organisation: { '*': 'read-only' }, user: { '*': 'read-only' } },
  });
  principal = { id: user.id, kind: 'user', organisation: organisation.id, maxAccess: 'delete', roles: [] };
  gateway = await createGateway(
    {
      stateDirectory: folder,
      store: `sqlite:${join(folder, 'team.db')}`,
      auth: { mode: 'team' },
      sources: {},
    },
    {
      functions: {
        notes: {
          resources: [{ uri: 'notes://all', name: 'all', read: () => ({ text: 'private' }) }],
          resourceTemplates: [
            { uriTemplate: 'notes://{id}/text', name: 'one', read: () => ({ text: 'private' }) },
          ],
          prompts: [
            { name: 'sum-up', get: () => [{ role: 'user', content: { type: 'text', text: 'private' } }] },
          ],
        },
      },
    },
  );
  const directory = createDirectory({
    store,
    defaults: { organisation: {}, user: {} },
    sources: () => ({ notes: { category: 'api', connections: 'shared', whenUnauthenticated: 'hide' } }),
  });
  const level = { scope: 'source:notes', level: 'disabled', organisation: organisation.id } as const;
  disable = () => directory.levels.set(LOCAL_PRINCIPAL, level);
  closeStore = () => store.close();
});

afterEach(async () => {
  await gateway.close();
  await closeStore();
  await rm(folder, { recursive: true, force: true });
});

it('resources and prompts follow the level of their source, in lists and when they are read', async () => {
  const read = (uri: string) => gateway.readResource(uri, request());
  const prompt = () => gateway.getPrompt('sum-up', {}, request());
  const complete = () =>
    gateway.complete({ reference: { template: 'notes://{id}/text' }, argument: 'id', value: '' }, request());
  expect(await read('notes://all')).toMatchObject({ contents: { text: 'private' } });
  expect(await read('notes://1/text')).toMatchObject({ contents: { text: 'private' } });
  expect(await prompt()).toMatchObject({ kind: 'prompt' });
  expect(await complete()).toEqual({ values: [], total: 0 });
  expect(gateway.view(principal)).toMatchObject({ resources: [{}], resourceTemplates: [{}], prompts: [{}] });

  await disable();
  await expect(read('notes://all')).rejects.toMatchObject({ code: 'resource_unknown' });
  await expect(read('notes://1/text')).rejects.toMatchObject({ code: 'resource_unknown' });
  await expect(prompt()).rejects.toMatchObject({ code: 'prompt_unknown' });
  await expect(complete()).rejects.toMatchObject({ code: 'resource_unknown' });
  expect(gateway.view(principal)).toMatchObject({ resources: [], resourceTemplates: [], prompts: [] });

  const stranger = { ...principal, organisation: 'org_other' };
  await expect(gateway.readResource('notes://all', { principal: stranger })).rejects.toMatchObject({
    code: 'unauthorized',
  });
});
