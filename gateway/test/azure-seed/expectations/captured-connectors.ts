import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ConnectorDocument } from '../../doubles/arm/arm.ts';

const SHARED = join(import.meta.dirname, '../../../../../shared/data/arm');

/** Documents of real connectors, by the names of their APIs; none where the machine does not have them. */
export function capturedConnectors(): ConnectorDocument[] {
  if (!existsSync(SHARED)) return [];
  const connectors = readdirSync(join(SHARED, 'connectors')).map((file) => join('connectors', file));
  return ['office365-schema.json', 'teams-schema.json', ...connectors].map((file) => {
    const bytes = readFileSync(join(SHARED, file));
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().replace(/^\uFEFF/, '');
    const name = file.replace(/^connectors.|-schema|\.swagger|\.json|\.gz/g, '');
    return { name, displayName: name, swagger: JSON.parse(text) };
  });
}
