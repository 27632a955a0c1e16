import type { SourceContext, SourceReader } from '../../source-kind.ts';
import type { OpenApiOptions } from '../options.ts';
import { isHttp } from './location.ts';

/** Shows what the main document's address wants to see, also where an overlay or a reference leads to its origin. */
export function authorizedReader(
  { document, headers }: OpenApiOptions,
  { name, reader }: SourceContext,
): SourceReader {
  if (headers === undefined || !isHttp(document)) return reader;
  const { origin } = new URL(document);
  const access = { headers, place: `sources.${name}.openapi.headers` };
  return {
    read: (location, signal) =>
      isHttp(location) && URL.parse(location)?.origin === origin
        ? reader.read(location, signal, access)
        : reader.read(location, signal),
  };
}
