import type { Configuration } from '../../config/index.ts';
import { trimEndOf } from '../../operations/text/trim-runs.ts';
import type { Service } from './service-addresses.ts';

/** What the gateway itself asks beside its sources: the bucket of artifacts, the models of chat and of search. */
export function ownServices({ artifacts, chat, search }: Configuration): Service[] {
  const { place } = artifacts;
  const addresses = [
    ...(typeof place === 'string'
      ? []
      : [
          [
            `${trimEndOf(place.endpoint, '/')}/${encodeURIComponent(place.bucket)}`,
            'artifacts.store.s3.endpoint',
          ] as const,
        ]),
    ...(chat === undefined ? [] : [[chat.baseUrl, 'chat.baseUrl'] as const]),
    ...(search?.embeddings === undefined
      ? []
      : [[search.embeddings.baseUrl, 'search.embeddings.baseUrl'] as const]),
  ];
  return addresses.map(([probe, setting]) => ({ origin: new URL(probe).origin, probe, setting }));
}
