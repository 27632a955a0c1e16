import type { Configuration } from '../../config/index.ts';
import { trimEndOf } from '../../operations/text/trim-runs.ts';
import { nangoAddresses } from '../nango.ts';
import type { Service } from './service-addresses.ts';

/** What the gateway asks beside the services of its sources: the bucket of artifacts, models, an own Nango, a collector. */
export function ownServices({ artifacts, chat, search, sources, telemetry }: Configuration): Service[] {
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
    ...nangoAddresses(sources),
    ...(telemetry.enabled && telemetry.otlp !== undefined
      ? [[telemetry.otlp, 'telemetry.otlp'] as const]
      : []),
  ];
  return addresses.map(([probe, setting]) => ({ origin: new URL(probe).origin, probe, setting }));
}
