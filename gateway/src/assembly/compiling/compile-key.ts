import type { Configuration, SourceConfiguration } from '../../config/configuration.ts';
import type { FixedParameters } from '../../sources/source-kind.ts';

/** What a compiled source depends on beside the bytes read. */
export interface CompileKey {
  readonly version: string;
  readonly name: string;
  readonly source: Omit<SourceConfiguration, 'credentials' | 'headers'>;
  readonly output: Configuration['output'];
  readonly schemaProfile: Configuration['schemaProfile'];
  readonly baseDirectory: string;
  /** Of the source's `headers` the names alone, lower case. */
  readonly fixedHeaders?: readonly string[];
}

/** What the source's `headers` and the query of its `baseUrl` put into every request. */
export function fixedParameters({ fixedHeaders = [], source }: CompileKey): FixedParameters {
  const url = source.baseUrl === undefined ? null : URL.parse(source.baseUrl);
  return { headers: fixedHeaders, query: url === null ? [] : [...new Set(url.searchParams.keys())] };
}
