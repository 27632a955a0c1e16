import { ToolcribError } from '../errors.ts';

/** A relative address of a document, as far as it is known what it is relative to. */
export function resolvedUrl(url: string, base: string | undefined): string {
  return URL.parse(url, base)?.href ?? url;
}

/** An address of the document or the configuration as it is asked: absolute, http or https, without a fragment. */
export function endpointUrl(
  url: string,
  relativeTo: string | undefined,
  what: string,
  setting: string,
): string {
  const parsed = URL.parse(url, relativeTo);
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) {
    parsed.hash = '';
    return parsed.href;
  }
  throw new ToolcribError(
    'configuration_invalid',
    `The ${what} ${url} is no http or https URL: set ${setting}.`,
  );
}
