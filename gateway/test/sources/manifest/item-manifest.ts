import type { ProviderManifest, ProviderOperation } from '../../../src/sources/manifest/index.ts';

/** A small provider with every kind of access. */
export const itemManifest: ProviderManifest = {
  provider: 'item-store',
  displayName: 'Item Store',
  category: 'crm',
  baseUrl: 'https://api.example.com/v2',
  apiVersion: 'v2',
  auth: { type: 'bearer' },
  blocklist: ['/admin'],
  operations: [
    {
      id: 'list_items',
      method: 'GET',
      path: '/items',
      access: 'read',
      description: 'Lists items.',
      params: {
        limit: { type: 'number', description: 'How many.', default: 20 },
        search: { type: 'string', description: 'Text to find.' },
      },
    },
    {
      id: 'get_item',
      method: 'GET',
      path: '/items/{id}',
      access: 'read',
      description: 'Reads an item.',
      params: { id: { type: 'string', description: 'Item id.', required: true } },
    },
    {
      id: 'create_item',
      method: 'POST',
      path: '/items',
      access: 'write',
      description: 'Adds an item.',
      body: {
        name: { type: 'string', description: 'Its name.', required: true },
        tags: { type: 'array', description: 'Tags.', items: { type: 'string' } },
      },
      meta: { wrapInData: true },
    },
    {
      id: 'rename_item',
      method: 'PATCH',
      path: '/items/{id}',
      access: 'write',
      description: 'Changes an item.',
      params: { id: { type: 'string', description: 'Item id.', required: true } },
      body: {
        id: { type: 'string', description: 'The new id.' },
        name: { type: 'string', description: 'The new name.' },
      },
    },
    {
      id: 'delete_item',
      method: 'DELETE',
      path: '/items/{id}',
      access: 'delete',
      description: 'Removes an item.',
      params: { id: { type: 'string', description: 'Item id.', required: true } },
    },
    {
      id: 'purge_items',
      method: 'POST',
      path: '/items/purge',
      access: 'dangerous',
      description: 'Removes everything.',
    },
  ],
};

export function operationOf(id: string): ProviderOperation {
  return itemManifest.operations.find((operation) => operation.id === id)!;
}

/** The item store with one operation of one's own. */
export function manifestWith(
  operation: Partial<ProviderOperation>,
  head: Partial<ProviderManifest> = {},
): ProviderManifest {
  return {
    ...itemManifest,
    ...head,
    operations: [
      {
        id: 'try_it',
        method: 'GET',
        path: '/try',
        access: 'read',
        description: 'Tries it out.',
        ...operation,
      },
    ],
  };
}
