import type { ProviderManifest } from '../../../src/sources/manifest/index.ts';

/** A manifest as those who wrote them before the YAML format have it: a typed object with the first members only. */
export const leverManifest: ProviderManifest = {
  provider: 'lever',
  displayName: 'Lever',
  category: 'ats',
  baseUrl: 'https://api.lever.co/v1',
  apiVersion: 'v1',

  auth: { type: 'bearer' },

  blocklist: ['/users', '/webhooks'],

  operations: [
    {
      id: 'list_opportunities',
      method: 'GET',
      path: '/opportunities',
      access: 'read',
      description: 'List all opportunities (candidates)',
      params: {
        limit: { type: 'number', description: 'Max results', default: 100 },
      },
    },
  ],
};
