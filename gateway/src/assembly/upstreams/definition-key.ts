import { shownLocation } from '../../operations/http/shown-location.ts';
import { canonicalHash, type UpstreamDefinition } from '../../operations/index.ts';

/** Tells definitions apart without their secrets: of variables and headers given as text, only the names count. */
export function definitionKey({ transport, era, share }: UpstreamDefinition): string {
  const names = (values: Readonly<Record<string, unknown>>) =>
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? 'text' : value]);
  const reached =
    transport.kind === 'stdio'
      ? { ...transport, env: names(transport.env) }
      : {
          kind: transport.kind,
          url: shownLocation(transport.url),
          headers: names(transport.headers),
          ...(transport.tls === undefined ? {} : { tls: names({ ...transport.tls }) }),
        };
  return canonicalHash(JSON.parse(JSON.stringify({ reached, era, share }))).slice('sha256:'.length, 23);
}
