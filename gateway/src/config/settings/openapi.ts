import type { SecretReference } from '../../operations/index.ts';
import { referencesWithAbsoluteFiles, type SecretContext } from '../secrets.ts';

export type OpenApiEntry =
  | string
  | {
      readonly document: string;
      readonly headers?: Readonly<Record<string, SecretReference>>;
    };

/** Settings of an OpenAPI source whose secrets are found from any folder; they are read when the document is. */
export function openApiSettings(entry: OpenApiEntry, context: SecretContext): unknown {
  if (typeof entry === 'string' || entry.headers === undefined) return entry;
  return { ...entry, headers: referencesWithAbsoluteFiles(entry.headers, context) };
}
