import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '../../../src/operations/index.ts';

const DATA = new URL('../../../../../shared/data/arm/', import.meta.url);

/** Real connector documents; absent in a plain checkout. */
export const hasConnectors = existsSync(DATA);
export const SKIPPED = '(skipped where the shared data is absent)';

export interface ConnectorFile {
  readonly api: string;
  readonly bytes: Buffer;
}

/** `office365` and `teams`, then every other connector, by name. */
export function connectorFiles(): ConnectorFile[] {
  if (!hasConnectors) return [];
  const folder = new URL('connectors/', DATA);
  return [
    ...['office365', 'teams'].map((api) => ({
      api,
      bytes: readFileSync(new URL(`${api}-schema.json`, DATA)),
    })),
    ...readdirSync(folder)
      .sort()
      .map((file) => {
        const bytes = readFileSync(new URL(file, folder));
        return {
          api: file.replace(/(?:\.swagger)?\.json(?:\.gz)?$/, ''),
          bytes: file.endsWith('.gz') ? gunzipSync(bytes) : bytes,
        };
      }),
  ];
}

/** The parsed document. */
export function connector(api: string): JsonObject {
  const file = connectorFiles().find((one) => one.api === api);
  if (file === undefined) throw new Error(`there is no document of ${api}`);
  return JSON.parse(file.bytes.toString('utf8').replace(/^\uFEFF/, ''));
}
