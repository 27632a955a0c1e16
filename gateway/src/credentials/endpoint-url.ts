import { ToolcribError } from '../errors.ts';

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
