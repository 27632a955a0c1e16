import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ManifestConfig } from './config.ts';
import type { ProviderManifest } from './manifest.ts';
import { shippedManifest } from './shipped.ts';

/** What the reader is asked for. A name without dot, slash and colon is a shipped provider's, else a path or URL. */
export function manifestLocation(
  config: Exclude<ManifestConfig, ProviderManifest>,
  baseDirectory: string,
): string {
  if (typeof config === 'string' && /^[a-z0-9-]+$/i.test(config)) return shippedManifest(config);
  const file = typeof config === 'string' ? config : config.file;
  if (/^file:/i.test(file)) return fileURLToPath(file);
  if (isAbsolute(file) || /^https?:/i.test(file)) return file;
  return resolve(baseDirectory, file);
}
