import type { SourceConfiguration } from '../../config/configuration.ts';
import { azureOf } from '../../config/settings/azure.ts';
import { upstreamOf } from '../../config/settings/upstreams.ts';
import { shownLocation } from '../../operations/http/shown-location.ts';

/** What a source is read from, in one line, without what may hold a secret: arguments, queries, user names. */
export function placeOfSource(source: SourceConfiguration): string | undefined {
  const { kind, settings } = source;
  const transport = upstreamOf(source)?.definition.transport;
  if (transport !== undefined)
    return transport.kind === 'stdio' ? transport.command : shownLocation(transport.url);
  const azure = azureOf(source);
  if (azure !== undefined) return `resource group ${azure.resourceGroup}`;
  if (kind === 'self') return "the gateway's own API";
  if (typeof settings === 'string') return shownLocation(settings);
  if (Array.isArray(settings)) return settings.filter((one) => typeof one === 'string').join(', ');
  const { document, file, url, roots, provider } = (settings ?? {}) as Record<string, unknown>;
  if (Array.isArray(roots)) return roots.join(', ');
  const found = [document, file, url, provider].find((one) => typeof one === 'string');
  return found === undefined ? undefined : shownLocation(found as string);
}
