import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ProviderManifest } from './manifest.ts';
import { judgeManifest } from './read-manifest.ts';
import { SHIPPED_PROVIDERS, shippedManifest } from './shipped.ts';

/** Shipped manifests by provider, each read when it is first looked at. Frozen. */
export const manifests: Readonly<Record<string, ProviderManifest>> = lazyRecord(
  SHIPPED_PROVIDERS,
  readShipped,
);

/** A shipped manifest; undefined for a provider that Toolcrib does not know. */
export function getManifest(provider: string): ProviderManifest | undefined {
  return Object.hasOwn(manifests, provider) ? manifests[provider] : undefined;
}

function readShipped(provider: string): ProviderManifest {
  const file = shippedManifest(provider);
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  const { manifest } = judgeManifest(parse(readFileSync(file, 'utf8'), { merge: true }), () => file, file);
  return manifest;
}

function lazyRecord<T extends object>(keys: readonly string[], make: (key: string) => T): Record<string, T> {
  const record: Record<string, T> = {};
  for (const key of keys) {
    let value: T | undefined;
    Object.defineProperty(record, key, {
      enumerable: true,
      get: () => {
        value ??= Object.freeze(make(key));
        return value;
      },
    });
  }
  return Object.freeze(record);
}
